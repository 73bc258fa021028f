"""The user's labels as places of the navigation; a place is named by the search that finds its mail."""

import re
from contextlib import suppress
from typing import TYPE_CHECKING

from app.domain.errors import ExpectedError
from app.ui.place_painter import Place

if TYPE_CHECKING:
    from app.domain.ports.window import MailboxReader

LABEL = "label:"
"""Begins the names of places that are labels."""
MOST_LABELS = 40


def label_places(reader: "MailboxReader") -> list[Place]:
    """The labels the user made in any account, each name once, after a gap; the search operator that finds each is its name."""
    names = {one.name for account in reader.accounts() for one in reader.labels(account.id) if one.kind == "user"}
    listed = [Place(label_query(name), name, "label") for name in sorted(names, key=str.casefold)[:MOST_LABELS]]
    return [Place(""), *listed] if listed else []


def name_of_label(reader: "MailboxReader", query: str) -> str:
    """The name of the label that a place's query finds; empty for any other search."""
    with suppress(ExpectedError):  # a file that cannot be read now: the page itself says so
        return next((place.title for place in label_places(reader) if place.name and place.name == query), "")
    return ""


def label_query(name: str) -> str:
    """How a label is searched for: dashes for spaces and slashes, as in Gmail."""
    return LABEL + re.sub(r"[\s/]", "-", name.strip())
