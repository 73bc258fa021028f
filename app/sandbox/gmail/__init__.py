"""A mailbox as Gmail stores it: messages, threads, labels, drafts, history and search, without HTTP."""
