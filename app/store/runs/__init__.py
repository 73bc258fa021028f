"""Runs of the mail graph and their logs: steps, tool calls, model calls, events, audit."""
