"""Settings as dotted keys and JSON values: how the page names them and the wire carries them."""

from app.config.settings import Settings

Value = str | int | float | bool | list[int] | list[str]


def value_of(settings: Settings, key: str) -> Value:
    """The value under a dotted key such as `sending.undo_s`. Raises `AttributeError` for a key that is not a setting."""
    section, _, name = key.partition(".")
    found: Value | tuple[int, ...] | tuple[str, ...] = getattr(getattr(settings, section), name)
    if not isinstance(found, tuple):
        return found
    numbers = [one for one in found if isinstance(one, int)]
    return numbers or [one for one in found if isinstance(one, str)]
