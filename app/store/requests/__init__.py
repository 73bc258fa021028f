"""Requests to the assistant, their steps, and the artifacts that the assistant made."""
