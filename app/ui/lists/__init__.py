"""Virtual lists: ids in the model, rows read by page, one delegate that paints every row."""
