"""The outbox: changes to make on a server, and their history."""
