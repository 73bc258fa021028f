"""What the agents learn from decisions: preferences and corrected verdicts."""
