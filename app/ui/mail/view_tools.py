"""The icons beside a conversation's subject, by the view that is listed: those that change something where it is filed."""

from app.domain.views import MailView

NAMES = ("mail.archive", "mail.inbox", "mail.trash", "mail.snooze", "mail.label", "mail.unread", "mail.star")
"""The most pressed first."""
MAIN = "mail.draft"
OUT_OF_INBOX = (MailView.SPAM, MailView.TRASH)
"""Here nothing can be archived; one gets things back."""


def tools_of(view: MailView) -> tuple[str, ...]:
    """From spam and trash a conversation goes back to the inbox; what is in the trash is not put there again."""
    gone = {"mail.archive" if view in OUT_OF_INBOX else "mail.inbox"}
    if view is MailView.TRASH:
        gone.add("mail.trash")
    return tuple(name for name in NAMES if name not in gone)
