"""Colour tokens from `resources/themes/*.toml`."""

import tomllib
from pathlib import Path
from typing import NamedTuple


class Theme(NamedTuple):
    """Colours by meaning, as `#RRGGBB`, except `name`, `dark` and `avatars` (several colours). A named tuple, because a dataclass
    with so many fields takes 3 ms to create before the first frame.
    """

    name: str
    dark: bool
    window: str
    surface: str
    sunken: str
    hover: str
    selection: str
    line: str
    line_strong: str
    text: str
    text_soft: str
    accent: str
    accent_hover: str
    on_accent: str
    accent_soft: str
    on_accent_soft: str
    positive: str
    positive_soft: str
    warning: str
    warning_soft: str
    danger: str
    danger_soft: str
    neutral: str
    neutral_soft: str
    slot: str
    slot_soft: str
    toast: str
    on_toast: str
    toast_action: str
    avatars: tuple[str, ...]
    on_avatar: str

    def tone(self, token: str) -> str:
        """Colour of a token given by name, such as `danger_soft`. Raises `TypeError` for a field that is no colour."""
        value = getattr(self, token)
        if not isinstance(value, str):
            raise TypeError(f"{token} is not a colour")
        return value


def load_theme(path: Path) -> Theme:
    """Reads a theme file of the program, with a colour for each field of `Theme`."""
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    return Theme(**{**table, "avatars": tuple(table["avatars"])})
