"""Settings as dotted keys and JSON values: how the page names them and the wire carries them."""

from app.config.settings import Settings

Value = str | int | float | bool | list[int]


def value_of(settings: Settings, key: str) -> Value:
    """The value under a dotted key such as `sending.undo_s`. Raises `AttributeError` for a key that is not a setting."""
    section, _, name = key.partition(".")
    found: Value | tuple[int, ...] = getattr(getattr(settings, section), name)
    return list(found) if isinstance(found, tuple) else found
