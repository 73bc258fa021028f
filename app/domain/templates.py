"""Text templates: words that are written again and again, with places to fill. Pure.

`{{prompt}}` in a body is a place left open; `{{first name}}` is filled from the first recipient where a name is known.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from app.domain.letter import Style, StyleKind

PLACE = re.compile(r"\{\{\s*([^{}\n]{1,80}?)\s*\}\}")


@dataclass(frozen=True, slots=True)
class TextTemplate:
    """`uses` counts how often it was put into a letter; `subject` may be empty."""

    id: int
    name: str
    subject: str
    body: str
    uses: int = 0


def filled(body: str, known: Mapping[str, str]) -> tuple[str, tuple[Style, ...]]:
    """The text of a template with the `known` places (by prompt, lower case) filled, and a slot for each other place."""
    text, slots, at = "", [], 0
    for found in PLACE.finditer(body):
        text += body[at : found.start()]
        at = found.end()
        value = known.get(found.group(1).lower(), "")
        if not value:
            slots.append(Style(len(text), len(text), StyleKind.SLOT, found.group(1)))
        text += value
    return text + body[at:], tuple(slots)


def first_name(name: str) -> str:
    """What one calls a person by: the first word of `Ana Nováková` and of `Nováková, Ana` the one behind the comma."""
    family, comma, given = name.partition(",")
    words = (given if comma else family).split()
    return words[0] if words and words[0][:1].isalpha() and "@" not in name else ""
