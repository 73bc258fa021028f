"""Rules about the text of mail, English and Czech: words, facts, times, and the parts of a reply."""
