"""Reading mail: the lists of the mailbox and the reading pane."""
