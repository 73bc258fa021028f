"""The assistant for typed requests: a supervisor that leads each step of a plan to the agent for it, and takes nobody's word."""
