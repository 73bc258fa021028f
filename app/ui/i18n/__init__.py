"""Translation: catalogues, error sentences, formatting of values."""
