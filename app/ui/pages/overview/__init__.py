"""Pages that sum up: today, waiting, and subscriptions."""
