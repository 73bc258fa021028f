"""The response agent: answers a mail with tools and asks the owner before each step."""
