"""What the assistant did: runs and their steps."""
