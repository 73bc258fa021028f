"""Names and empty words of the mailbox's views."""

from PySide6.QtCore import QCoreApplication

from app.domain.views import MailView


def view_title(view: MailView) -> str:
    """A view's name."""
    titles = {
        MailView.INBOX: QCoreApplication.translate("Views", "Inbox"),
        MailView.SENT: QCoreApplication.translate("Views", "Sent"),
        MailView.DRAFTS: QCoreApplication.translate("Views", "Drafts"),
        MailView.ALL: QCoreApplication.translate("Views", "All mail"),
        MailView.STARRED: QCoreApplication.translate("Views", "Starred"),
        MailView.SNOOZED: QCoreApplication.translate("Views", "Snoozed"),
        MailView.SPAM: QCoreApplication.translate("Views", "Spam"),
        MailView.TRASH: QCoreApplication.translate("Views", "Trash"),
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
"""Icons by view."""


def empty_words(view: MailView) -> tuple[str, str]:
    """A title and a sentence for an empty view."""
    if view is MailView.INBOX:
        title = QCoreApplication.translate("Views", "Inbox is clear")
        return title, QCoreApplication.translate("Views", "New mail appears here by itself.")
    title = QCoreApplication.translate("Views", "Nothing in “%1”").replace("%1", view_title(view))
    return title, QCoreApplication.translate("Views", "Mail that belongs here appears by itself.")
