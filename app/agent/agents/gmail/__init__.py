"""The Gmail agent: searches mail and proposes mail for a request."""
