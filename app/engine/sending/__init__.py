"""The outbox at work: what leaves the machine, once."""
