"""The navigation on the left: places with counts, labels, drop targets."""
