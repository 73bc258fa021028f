"""The doors between rooms, as protocols: an adapter implements one, `app.main` or the engine hands it over."""
