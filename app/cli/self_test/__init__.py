"""`replyroom --self-test`: checks that each part of a built program works."""
