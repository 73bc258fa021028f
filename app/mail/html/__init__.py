"""HTML of messages: safe to show, as visible text, and as text with simple styles."""
