"""The places of the navigation, in order."""

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app.domain.views import MailView
from app.ui.mail.views import VIEW_ICONS, view_title
from app.ui.place_painter import Place

if TYPE_CHECKING:
    from app.domain.ports.window import MailboxReader

PAGES = ("review", "inbox", "sent", "drafts", "waiting", "outbox", "templates", "shortcuts", "activity", "memory", "settings")
"""Places that have an action of their own."""

LABEL = "label:"
"""Begins the names of places that are labels."""
MOST_LABELS = 40

LISTED = (
    MailView.INBOX,
    MailView.STARRED,
    MailView.SNOOZED,
    MailView.SENT,
    MailView.DRAFTS,
    MailView.ALL,
    MailView.SPAM,
    MailView.TRASH,
)


def places() -> list[Place]:
    """What the navigation lists; an empty place is a gap."""
    views = [Place(str(view), view_title(view), VIEW_ICONS[view]) for view in LISTED]
    return [
        Place(""),
        Place("review", QCoreApplication.translate("Places", "Review"), "review"),
        Place(""),
        *views,
        Place(""),
        Place("waiting", QCoreApplication.translate("Places", "Waiting"), "waiting"),
        Place("outbox", QCoreApplication.translate("Places", "Outbox"), "outbox"),
        Place("activity", QCoreApplication.translate("Places", "Activity"), "activity"),
        Place("memory", QCoreApplication.translate("Places", "Memory"), "memory"),
        Place("settings", QCoreApplication.translate("Places", "Settings"), "settings"),
    ]


def label_places(reader: "MailboxReader") -> list[Place]:
    """The labels the user made in any account, each name once, after a gap; the search operator that finds each is its name."""
    names = {one.name for account in reader.accounts() for one in reader.labels(account.id) if one.kind == "user"}
    listed = [Place(label_query(name), name, "label") for name in sorted(names, key=str.casefold)[:MOST_LABELS]]
    return [Place(""), *listed] if listed else []


def name_of_label(reader: "MailboxReader", query: str) -> str:
    """The name of the label that a place's query finds; empty for any other search."""
    return next((place.title for place in label_places(reader) if place.name and place.name == query), "")


def label_query(name: str) -> str:
    """How a label is searched for: dashes for spaces and slashes, as in Gmail."""
    return LABEL + re.sub(r"[\s/]", "-", name.strip())
