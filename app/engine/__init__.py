"""The engine process: sync, queue, runs, reviews, sending, indexing."""
