"""Virtual lists: ids in the model, rows by page, one delegate."""
