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
    titles = {
        MailView.INBOX: QCoreApplication.translate("Views", "Inbox is clear"),
        MailView.SENT: QCoreApplication.translate("Views", "No sent mail"),
        MailView.DRAFTS: QCoreApplication.translate("Views", "No drafts"),
        MailView.ALL: QCoreApplication.translate("Views", "No mail yet"),
        MailView.STARRED: QCoreApplication.translate("Views", "No starred conversations"),
        MailView.SNOOZED: QCoreApplication.translate("Views", "Nothing is snoozed"),
        MailView.SPAM: QCoreApplication.translate("Views", "No spam"),
        MailView.TRASH: QCoreApplication.translate("Views", "Trash is empty"),
    }
    words = {
        MailView.INBOX: QCoreApplication.translate("Views", "New mail appears here by itself."),
        MailView.SENT: QCoreApplication.translate("Views", "What you send appears here."),
        MailView.DRAFTS: QCoreApplication.translate("Views", "What you begin to write appears here."),
        MailView.ALL: QCoreApplication.translate("Views", "New mail appears here by itself."),
        MailView.STARRED: QCoreApplication.translate("Views", "Give a conversation a star to find it here again."),
        MailView.SNOOZED: QCoreApplication.translate("Views", "A snoozed conversation waits here until it is back in the inbox."),
        MailView.SPAM: QCoreApplication.translate("Views", "What Google takes for spam appears here."),
        MailView.TRASH: QCoreApplication.translate("Views", "What you move to the trash appears here."),
    }
    return titles[view], words[view]


FED_BY_MAIL = frozenset({MailView.INBOX, MailView.ALL, MailView.SPAM})
"""Views that new mail comes into: looking for some is a way on. The others are filled by what one does."""
