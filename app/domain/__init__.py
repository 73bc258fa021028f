"""The words of the business: frozen dataclasses and pure functions, standard library only."""
