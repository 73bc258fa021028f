"""Runs of the mail graph: routing, running, waking, and what the agents are built with."""
