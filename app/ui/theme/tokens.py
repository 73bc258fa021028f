"""Colour tokens from `resources/themes/*.toml`."""

import re
import tomllib
from pathlib import Path
from typing import NamedTuple

from app.domain.errors import BadFile

_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}\Z")


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
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadFile(str(path), 0, str(error), "Restore the theme file.") from error
    wanted = set(Theme._fields)
    wrong = sorted(wanted ^ table.keys())
    if wrong:
        raise BadFile(str(path), 0, f"missing or unknown tokens: {', '.join(wrong)}", "Restore the theme file.")
    for name, value in table.items():
        colours = value if isinstance(value, list) else [value] if name not in ("name", "dark") else []
        if not all(isinstance(colour, str) and _COLOUR.match(colour) for colour in colours):
            raise BadFile(str(path), 0, f"{name} is not a colour", "Write it as #RRGGBB.")
    values = (table[name] for name in Theme._fields)
    return Theme._make(tuple(value) if isinstance(value, list) else value for value in values)
