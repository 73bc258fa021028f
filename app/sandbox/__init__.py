"""A local server compatible with Gmail, Calendar and People: Google's JSON and rules on 127.0.0.1. It shares no code with the
client.
"""
