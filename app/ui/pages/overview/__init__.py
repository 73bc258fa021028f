"""Pages that sum up: waiting, and subscriptions."""
