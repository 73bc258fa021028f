"""What every part of the engine uses: clock, event bus, store threads, tables, workers and settings."""
