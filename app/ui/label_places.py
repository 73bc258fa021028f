"""The user's labels, and with several accounts each one's inbox, as places of the navigation; a place is named by the search
that finds its mail."""

import re
from contextlib import suppress
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app.domain.errors import ExpectedError
from app.ui.place_painter import Place

if TYPE_CHECKING:
    from app.domain.ports.window import MailboxReader

LABEL = "label:"
"""Begins the names of places that are labels."""
INBOX_OF = "label:inbox account:"
"""Begins the names of places that are one account's inbox."""
MOST_LABELS = 40


def label_places(reader: "MailboxReader") -> list[Place]:
    """Inboxes by account where there are several, then the labels the user made in any, each name once, each after a gap; the
    search that finds its mail is the place's name."""
    names = sorted(reader.label_names(), key=str.casefold)[:MOST_LABELS]
    listed = [Place(label_query(name), name, "label") for name in names]
    accounts = [one.email for one in reader.accounts()]
    inboxes = [Place(f"{INBOX_OF}{email}", email, "inbox") for email in sorted(accounts)] if len(accounts) > 1 else []
    return [part for places in (inboxes, listed) if places for part in (Place(""), *places)]


def name_of_label(reader: "MailboxReader", query: str) -> str:
    """The name of the label that a place's query finds; empty for any other search."""
    with suppress(ExpectedError):  # a file that cannot be read now: the page itself says so
        if query.startswith(INBOX_OF):
            found = next((one.email for one in reader.accounts() if f"{INBOX_OF}{one.email}" == query), "")
        elif query.startswith(LABEL):
            found = next((one for one in reader.label_names() if label_query(one) == query), "")
        else:
            found = ""
        if found:
            return found
    for begins in (INBOX_OF, LABEL):  # a label that is gone is still called what it was
        name = query.removeprefix(begins)
        if name != query and " " not in name:
            return name
    return ""


def nothing_there(query: str, name: str) -> tuple[str, str]:
    """A title and a sentence for an empty place that is called `name`."""
    if query.startswith(INBOX_OF):
        title = QCoreApplication.translate("Views", "The inbox of %1 is clear")
        words = QCoreApplication.translate("Views", "New mail appears here by itself.")
    else:
        title = QCoreApplication.translate("Views", "No mail with the label “%1”")
        words = QCoreApplication.translate("Views", "Conversations that you give this label appear here.")
    return title.replace("%1", name), words


def label_query(name: str) -> str:
    """How a label is searched for: dashes for spaces and slashes, as in Gmail."""
    return LABEL + re.sub(r"[\s/]", "-", name.strip())
