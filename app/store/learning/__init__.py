"""What the owner's decisions taught: preferences, lessons, corrected verdicts."""
