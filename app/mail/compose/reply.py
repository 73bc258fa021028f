"""Composes a draft as bytes: RFC 5322 headers, text and HTML alternatives, signature once, the original quoted.

The same input gives the same bytes.
"""

import hashlib
import re
from collections.abc import Sequence
from datetime import datetime
from email.utils import format_datetime

from app.domain.drafting.draft import Draft
from app.domain.errors import NotAllowed, OpenSlots
from app.domain.mail.letter import FileContent
from app.domain.mail.message import Account, Message
from app.domain.mail.recipients import reply_subject
from app.mail.compose.header_fields import address_field, ids_field, text_field, unbroken
from app.mail.compose.parts import (
    answered,
    direction,
    file_parts,
    multipart,
    own_address,
    references,
    sendable,
    settled_subject,
    text_part,
    unique,
)
from app.mail.compose.quoting import quoted_html, quoted_text
from app.mail.html.styled import lines_as_html
from app.mail.html.visible import visible_text

MARKER = re.compile(r"<[A-Za-z0-9._+=-]{1,200}@[A-Za-z0-9.-]{1,200}>")


def compose(
    draft: Draft, account: Account, original: Message | None, marker: str, date: datetime, files: Sequence[FileContent] = ()
) -> bytes:
    """Returns the mail in 7-bit ASCII with CRLF line ends.

    `original` is the answered message or None; `marker` is the Message-ID with angle brackets; `date` is aware and gives the time
    zone of the attribution; `files` are the contents of the draft's attachments. Raises `NotAllowed` and `OpenSlots`.
    """
    if draft.open_slots:
        raise OpenSlots(draft.open_slots)
    if not MARKER.fullmatch(marker):
        raise NotAllowed("Message-ID is not of the form <name@host>.")
    text, rich = _text(draft, account, original, date), _html(draft, account, original, date)
    boundary = "=_" + hashlib.sha256((marker + text).encode()).hexdigest()[:40]
    body = f"--{boundary}\r\n{text_part('plain', text)}\r\n--{boundary}\r\n{text_part('html', rich)}\r\n--{boundary}--\r\n"
    body = f'Content-Type: multipart/alternative; boundary="{boundary}"\r\n\r\n{body}'
    parts = file_parts(files)
    if parts:
        body = multipart("mixed", [body, *parts], marker)
    return f"{_headers(draft, account, original, marker, date)}MIME-Version: 1.0\r\n{body}".encode("ascii")


def _headers(draft: Draft, account: Account, original: Message | None, marker: str, date: datetime) -> str:
    taken: set[str] = set()
    to, cc, bcc = (unique(each, taken) for each in (draft.to, draft.cc, draft.bcc))
    if not taken:
        raise NotAllowed("To holds no recipient.", "Add one.")
    subject = settled_subject(unbroken("Subject", draft.subject), original)
    if original is not None and not subject:
        subject = reply_subject(original.subject)
    lines = [
        f"Date: {format_datetime(date)}\r\n",
        address_field("From", [own_address(account, original)]),
        address_field("To", to),
        address_field("Cc", cc),
        address_field("Bcc", bcc),
        text_field("Subject", subject),
        f"Message-ID: {marker}\r\n",
        f"X-Replyroom-Outbox: {marker}\r\n",
    ]
    if original is not None and original.rfc822_id:
        lines.append(ids_field("In-Reply-To", answered(original)))
        lines.append(ids_field("References", references(original)))
    return "".join(lines)


def _text(draft: Draft, account: Account, original: Message | None, date: datetime) -> str:
    pieces = [sendable(draft.body)]
    signature = visible_text(account.signature) if account.signature.strip() else ""
    if signature:
        pieces.append(f"-- \n{signature}")
    if original is not None:
        pieces.append(quoted_text(original, date))
    return "\n\n".join(pieces) + "\n"


def _html(draft: Draft, account: Account, original: Message | None, date: datetime) -> str:
    pieces = [f'<div dir="{direction(draft.body)}">{lines_as_html(sendable(draft.body))}</div>']
    if account.signature.strip():
        pieces.append(f'<br><div>-- <br><div dir="ltr" class="gmail_signature">{account.signature}</div></div>')
    if original is not None:
        pieces.append(f"<br>{quoted_html(original, date)}")
    return "\r\n".join(pieces) + "\r\n"
