"""Types for agents: runs, requests, routing rules, tools, tool servers, preferences, and checks of tool calls."""
