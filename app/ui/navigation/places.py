"""The places of the navigation: pages, mailbox views, labels, inboxes. Also the titles and empty states of the views.

The name of a label's place is the search query that finds its mail. Conversations can be dropped onto some places.
"""

import os
import re
from array import array
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QCoreApplication, QMimeData

from app.domain.errors import ExpectedError
from app.domain.ids import ThreadId
from app.domain.protocol.views import SPLITS, MailView
from app.ui.navigation.painter import Place

if TYPE_CHECKING:
    from app.domain.ports.window import MailboxReader


def view_title(view: MailView) -> str:
    titles = {
        MailView.INBOX: QCoreApplication.translate("Views", "Inbox"),
        MailView.SENT: QCoreApplication.translate("Views", "Sent"),
        MailView.DRAFTS: QCoreApplication.translate("Views", "Drafts"),
        MailView.ALL: QCoreApplication.translate("Views", "All mail"),
        MailView.STARRED: QCoreApplication.translate("Views", "Starred"),
        MailView.SNOOZED: QCoreApplication.translate("Views", "Snoozed"),
        MailView.SPAM: QCoreApplication.translate("Views", "Spam"),
        MailView.TRASH: QCoreApplication.translate("Views", "Trash"),
        MailView.TO_REVIEW: QCoreApplication.translate("Views", "To review"),
        MailView.NEEDS_REPLY: QCoreApplication.translate("Views", "Needs reply"),
        MailView.FYI: QCoreApplication.translate("Views", "FYI"),
        MailView.NEWSLETTERS: QCoreApplication.translate("Views", "Newsletters"),
        MailView.REST: QCoreApplication.translate("Views", "Everything else"),
    }
    return titles[view]


VIEW_ICONS = {
    MailView.INBOX: "inbox",
    MailView.SENT: "sent",
    MailView.DRAFTS: "drafts",
    MailView.ALL: "all_mail",
    MailView.STARRED: "starred",
    MailView.SNOOZED: "snooze",
    MailView.SPAM: "spam",
    MailView.TRASH: "trash",
}


def empty_words(view: MailView) -> tuple[str, str]:
    titles = {
        MailView.INBOX: QCoreApplication.translate("Views", "You're all caught up"),
        MailView.SENT: QCoreApplication.translate("Views", "No sent mail"),
        MailView.DRAFTS: QCoreApplication.translate("Views", "No drafts"),
        MailView.ALL: QCoreApplication.translate("Views", "No mail yet"),
        MailView.STARRED: QCoreApplication.translate("Views", "No starred conversations"),
        MailView.SNOOZED: QCoreApplication.translate("Views", "Nothing is snoozed"),
        MailView.SPAM: QCoreApplication.translate("Views", "No spam"),
        MailView.TRASH: QCoreApplication.translate("Views", "Trash is empty"),
    }
    words = {
        MailView.INBOX: QCoreApplication.translate("Views", "New mail appears here."),
        MailView.SENT: QCoreApplication.translate("Views", "Email you send appears here."),
        MailView.DRAFTS: QCoreApplication.translate("Views", "Drafts you start appear here."),
        MailView.ALL: QCoreApplication.translate("Views", "New mail appears here."),
        MailView.STARRED: QCoreApplication.translate("Views", "Star conversations to find them here."),
        MailView.SNOOZED: QCoreApplication.translate("Views", "Snoozed conversations wait here until they return to the inbox."),
        MailView.SPAM: QCoreApplication.translate("Views", "Mail Google marks as spam appears here."),
        MailView.TRASH: QCoreApplication.translate("Views", "Mail you move to Trash appears here."),
    }
    if view in SPLITS:
        return (
            QCoreApplication.translate("Views", "Nothing here"),
            QCoreApplication.translate("Views", "New mail of this kind appears here automatically."),
        )
    return titles[view], words[view]


FED_BY_MAIL = frozenset({MailView.INBOX, MailView.ALL, MailView.SPAM})
"""Views that new mail arrives in, so that an empty one offers to check for mail."""


PAGES = (
    "today",
    "review",
    "inbox",
    "starred",
    "sent",
    "drafts",
    "assistant",
    "waiting",
    "outbox",
    "subscriptions",
    "templates",
    "shortcuts",
    "activity",
    "memory",
    "settings",
)
"""Names that have a "Go to" action in the window."""

BELONGS = {"shortcuts": "settings", "subscriptions": "inbox", "changes": "activity", **dict.fromkeys(map(str, SPLITS), "inbox")}
"""Pages without a place of their own, and the place marked for them."""

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
    """The fixed places in order; an empty place is a gap."""
    views = [Place(str(view), view_title(view), VIEW_ICONS[view]) for view in LISTED]
    return [
        Place(""),
        Place("today", QCoreApplication.translate("Places", "Today"), "today"),
        Place("review", QCoreApplication.translate("Places", "Review"), "review"),
        Place(""),
        *views,
        Place(""),
        Place("assistant", QCoreApplication.translate("Places", "Assistant"), "assistant"),
        Place("waiting", QCoreApplication.translate("Places", "Waiting"), "waiting"),
        Place("outbox", QCoreApplication.translate("Places", "Outbox"), "outbox"),
        Place("activity", QCoreApplication.translate("Places", "Activity"), "activity"),
        Place("memory", QCoreApplication.translate("Places", "Memory"), "memory"),
        Place("settings", QCoreApplication.translate("Places", "Settings"), "settings"),
    ]


LABEL = "label:"
"""Prefix of place names that are labels."""
INBOX_OF = "label:inbox account:"
"""Prefix of place names that are one account's inbox."""
PART_OF_INBOX = "label:inbox "
"""Prefix of place names that are a split of the owner's or one account's inbox."""
SAVED = "search:"
"""Prefix of place names that are saved searches."""
MOST_LABELS = 40


def saved_places(searches: Sequence[str], unread: Mapping[str, int]) -> list[Place]:
    """The saved searches after a gap, each with its number of unread conversations."""
    listed = [Place(f"{SAVED}{one}", one, "search", unread.get(one, 0)) for one in searches]
    return [Place(""), *listed] if listed else []


def label_places(reader: "MailboxReader") -> list[Place]:
    """Inboxes of several accounts, then the user's labels. At most `MOST_LABELS` labels are listed. Each group follows a gap. A
    label that several accounts have is listed once.
    """
    names = sorted(reader.label_names(), key=str.casefold)[:MOST_LABELS]
    listed = [Place(label_query(name), name, "label") for name in names]
    accounts = [one.email for one in reader.accounts()]
    inboxes = [Place(f"{INBOX_OF}{email}", email, "inbox") for email in sorted(accounts)] if len(accounts) > 1 else []
    return [part for places in (inboxes, listed) if places for part in (Place(""), *places)]


def name_of_label(reader: "MailboxReader", query: str) -> str:
    """Name of the label or account behind a place's query. Empty for any other search."""
    with suppress(ExpectedError):  # the page itself reports an unreadable file
        if query.startswith(INBOX_OF):
            found = next((one.email for one in reader.accounts() if f"{INBOX_OF}{one.email}" == query), "")
        elif query.startswith(LABEL):
            found = next((one for one in reader.label_names() if label_query(one) == query), "")
        else:
            found = ""
        if found:
            return found
    for begins in (INBOX_OF, LABEL):  # a label that is gone keeps its name
        name = query.removeprefix(begins)
        if name != query and " " not in name:
            return name
    return ""


def nothing_there(query: str, name: str) -> tuple[str, str]:
    """Title and sentence for an empty label or inbox called `name`."""
    if query.startswith(PART_OF_INBOX):
        title = QCoreApplication.translate("Views", "%1: you're all caught up")
        words = QCoreApplication.translate("Views", "New mail appears here.")
    else:
        title = QCoreApplication.translate("Views", "No mail with the label “%1”")
        words = QCoreApplication.translate("Views", "Conversations with this label appear here.")
    return title.replace("%1", name), words


def label_query(name: str) -> str:
    """Search query of a label, as in Gmail. Spaces and slashes become dashes."""
    return LABEL + re.sub(r"[\s/]", "-", name.strip())


THREADS = f"application/x-replyroom-threads-{os.getpid()}"
ORIGIN = f"application/x-replyroom-origin-{os.getpid()}"
TAKING = frozenset(map(str, (MailView.INBOX, MailView.STARRED, MailView.ALL, MailView.SPAM, MailView.TRASH)))
"""Views that accept dropped conversations. Labels accept them too."""


def packed(threads: list[ThreadId], origin: str) -> QMimeData:
    made = QMimeData()
    made.setData(THREADS, QByteArray(array("q", threads).tobytes()))
    made.setData(ORIGIN, QByteArray(origin.encode()))
    return made


def threads_in(dragged: QMimeData) -> list[ThreadId]:
    """Dragged conversations; empty for anything not dragged from this process."""
    found = array("q")
    if dragged.hasFormat(THREADS):
        found.frombytes(dragged.data(THREADS).data())
    return [ThreadId(one) for one in found]


def origin_of(dragged: QMimeData) -> str | None:
    """Name of the list the drag comes from. None for anything not dragged from this process."""
    return bytes(dragged.data(ORIGIN).data()).decode() if dragged.hasFormat(THREADS) else None


def takes(place: str, origin: str | None) -> bool:
    """Whether a place accepts a drop from `origin`. A place never accepts its own conversations."""
    return origin is not None and place != origin and (place in TAKING or place.startswith(LABEL))
