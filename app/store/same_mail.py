"""Whether a message that came again is the one already mirrored. Pure."""

from app.domain.mail import Message, RemoteMessage
from app.store.packing import storable

_SAME = ("gmail_thread_id", "date", "to", "cc", "bcc", "reply_to", "references", "headers", "labels", "sender")
_SAME_TEXT = ("subject", "snippet", "body_text", "rfc822_id", "in_reply_to")
_SAME_PART = ("part_id", "filename", "mime_type", "size", "content_id", "inline")


def same_content(stored: Message, remote: RemoteMessage) -> bool:
    """Compare all that is stored; the history id is not, since every label change moves it, nor HTML that came uncleaned:
    a mail's body never changes under its id, and its text is compared."""
    return (
        (bool(remote.html_source) or stored.body_html == remote.body_html)
        and all(getattr(stored, name) == getattr(remote, name) for name in _SAME)
        and all(getattr(stored, name) == storable(getattr(remote, name)) for name in _SAME_TEXT)
        and len(stored.attachments) == len(remote.attachments)
        and all(
            getattr(mine, name) == getattr(theirs, name)
            for mine, theirs in zip(stored.attachments, remote.attachments, strict=True)
            for name in _SAME_PART
        )
    )
