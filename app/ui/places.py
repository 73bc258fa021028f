"""The places of the navigation, in order."""

from PySide6.QtCore import QCoreApplication

from app.domain.views import MailView
from app.ui.mail.views import VIEW_ICONS, view_title
from app.ui.place_painter import Place

PAGES = (
    "review",
    "inbox",
    "sent",
    "drafts",
    "assistant",
    "waiting",
    "outbox",
    "templates",
    "shortcuts",
    "activity",
    "memory",
    "settings",
)
"""Places that have an action of their own."""

BELONGS = {"shortcuts": "settings"}
"""Pages that are no place of their own, and the place that leads to them."""

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
        Place("assistant", QCoreApplication.translate("Places", "Assistant"), "assistant"),
        Place("waiting", QCoreApplication.translate("Places", "Waiting"), "waiting"),
        Place("outbox", QCoreApplication.translate("Places", "Outbox"), "outbox"),
        Place("activity", QCoreApplication.translate("Places", "Activity"), "activity"),
        Place("memory", QCoreApplication.translate("Places", "Memory"), "memory"),
        Place("settings", QCoreApplication.translate("Places", "Settings"), "settings"),
    ]
