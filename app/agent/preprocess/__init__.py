"""What a profile agent is given of a mail. `choosing.preprocess` is the way in; another form of mail is another file."""
