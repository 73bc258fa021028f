"""Mail written by hand, from the first key to the outbox, and its drafts in Gmail."""
