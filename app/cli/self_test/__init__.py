"""self_test."""
