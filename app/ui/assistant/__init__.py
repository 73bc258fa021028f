"""What the owner asks of the assistant: a line to ask, the requests, and the plan of the one that is open."""
