"""Reads theme, language and text size for the window's first frame, without checking the other settings.

`config.settings` reads the whole file a moment later and reports errors.
"""

from pathlib import Path
from typing import NamedTuple

from app.config.user_files import plain_text

THEMES = ("light", "dark", "contrast-light", "contrast-dark")


class FirstAppearance(NamedTuple):
    """The table `[appearance]`, and whether lists are compact. `text_size` 1.0 is 100 %."""

    theme: str = "system"
    language: str = ""
    text_size: float = 1.0
    compact: bool = False


def first_looks(path: Path) -> FirstAppearance:
    """The appearance in a settings file; defaults for a missing or broken one."""
    try:
        text = plain_text(path)
    except (OSError, UnicodeDecodeError):
        return FirstAppearance()
    if "appearance" not in text and "reading" not in text:
        return FirstAppearance()
    import tomllib

    try:
        tables = tomllib.loads(text)
    except (ValueError, RecursionError):
        return FirstAppearance()
    table, reading = tables.get("appearance", {}), tables.get("reading")
    if not isinstance(table, dict):
        return FirstAppearance()
    theme, language, percent = (table.get(name) for name in ("theme", "language", "text_percent"))
    return FirstAppearance(
        theme if theme in THEMES else "system",
        language if language in ("en", "cs") else "",
        percent / 100 if isinstance(percent, int) and 80 <= percent <= 200 else 1.0,
        isinstance(reading, dict) and reading.get("density") == "compact",
    )
