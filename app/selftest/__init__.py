"""`replyroom --self-test`: does each part that the program was built with really work? For installers, where parts get lost."""
