"""The local copy of mail: messages, labels, threads, snoozes and their full-text index."""
