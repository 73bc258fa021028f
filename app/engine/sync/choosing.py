"""Which mail is looked at by the agents at all. Pure."""

from app.domain.mail import Message, RemoteMessage, SystemLabel

NEW = "new"
"""The reason of a message that arrived while the mailbox was mirrored."""

_NEVER = frozenset({SystemLabel.SENT, SystemLabel.DRAFT, SystemLabel.SPAM, SystemLabel.TRASH})


def wants_triage(message: RemoteMessage | Message, since_ms: int | None, arrived: bool) -> bool:
    """Whether a mail is to be triaged: in the inbox, not the owner's, from the time of consent on, and unread or just
    `arrived`. Without consent (`since_ms` None) nothing is."""
    if since_ms is None or message.labels & _NEVER or SystemLabel.INBOX not in message.labels:
        return False
    if message.date.timestamp() * 1000 < since_ms:
        return False
    return arrived or SystemLabel.UNREAD in message.labels
