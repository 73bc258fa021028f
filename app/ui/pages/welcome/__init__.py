"""The first-run page: connect an account, choose a model, wait for the mail, start drafting."""
