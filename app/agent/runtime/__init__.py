"""What every node of the mail graph uses: state, transitions, steps, checkpoints, the run recorder and dependencies."""
