"""MIME both ways: parts, bodies, charsets, header words and addresses in; header fields and quoted originals out."""
