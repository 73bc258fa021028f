"""One module per version of the schema, applied in order by `app.store.migrate`; a released one is never edited."""
