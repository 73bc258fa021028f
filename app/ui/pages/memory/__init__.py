"""The Memory page: preferences that the assistant follows."""
