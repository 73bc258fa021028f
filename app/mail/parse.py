"""Parses a Gmail message resource (`format=full`) into a `RemoteMessage`.

Never raises because of content: a message without headers, with wrong charsets or with ten thousand parts stays readable.
"""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from app.domain.ids import GmailId, GmailThreadId, HistoryId, history_id_of
from app.domain.mail.message import Address, RemoteAttachment, RemoteMessage
from app.mail.html.render import render
from app.mail.mime.headers import HeaderFields, decode_words, parse_addresses
from app.mail.mime.parts import EPOCH, MimePart, choose, count_of, moment_of, parts_of
from app.mail.mime.text import one_line, unescaped

MOST_ATTACHMENTS = 1000
MOST_REFERENCES = 500
MESSAGE_ID = re.compile(r"<[^<>\s]{1,998}>")
UNSAFE_IN_NAME = re.compile(r"[^\w .-]")
PLAIN_NAMES = {
    "text/calendar": "invite.ics",
    "message/delivery-status": "delivery-status.txt",
    "message/disposition-notification": "receipt.txt",
    "text/rfc822-headers": "headers.txt",
    "application/pgp-signature": "signature.asc",
    "image/png": "image.png",
    "image/jpeg": "image.jpg",
    "image/gif": "image.gif",
}
"""File names for parts without one."""
END = datetime(2200, 1, 1, tzinfo=UTC)
"""Dates after this are taken as invalid."""


def parse_message(resource: dict[str, object], *, clean: bool = True) -> RemoteMessage:
    """Parses a resource. Fields that are missing or of a wrong type count as empty.

    Without `clean` its HTML is kept uncleaned in `html_source`.
    """
    payload, labels = resource.get("payload"), resource.get("labelIds")
    tree = parts_of(payload if isinstance(payload, dict) else {})
    fields = HeaderFields(tree.parts[0].headers)
    chosen = choose(tree.parts)
    body = render(tree.parts, chosen, clean=clean)
    listed = chosen.attachments[:MOST_ATTACHMENTS]
    return RemoteMessage(
        gmail_id=GmailId(_text(resource, "id")),
        gmail_thread_id=GmailThreadId(_text(resource, "threadId")),
        history_id=_history_id(resource.get("historyId")),
        date=_date(resource.get("internalDate"), fields),
        sender=_sender(fields),
        to=_addresses(fields, "to"),
        cc=_addresses(fields, "cc"),
        bcc=_addresses(fields, "bcc"),
        reply_to=_addresses(fields, "reply-to"),
        subject=decode_words(fields.first("subject")),
        snippet=one_line(unescaped(_text(resource, "snippet"))),
        body_text=_with_rest(body.text, len(chosen.attachments) - len(listed) + tree.left_out),
        body_html=body.html,
        rfc822_id=message_id_of(fields.first("message-id")),
        in_reply_to=message_id_of(fields.first("in-reply-to")),
        references=_references(fields.first("references")),
        headers=fields.shown(),
        labels=frozenset(each for each in labels if isinstance(each, str)) if isinstance(labels, list) else frozenset(),
        attachments=tuple([_attachment(part, tree.parts, rich=bool(body.html or body.source)) for part in listed]),
        size=count_of(resource.get("sizeEstimate")),
        html_source=body.source,
        too_slow=body.too_slow,
    )


def _with_rest(text: str, unlisted: int) -> str:
    """The text with a note on attachments beyond the limit."""
    return f"{text}\n\n[{unlisted} further attachments are not listed]".strip() if unlisted else text


def _sender(fields: HeaderFields) -> Address:
    """The first author with an address. If there is none, the text of From becomes the name."""
    for name in ("from", "sender", "return-path"):
        found = _addresses(fields, name)
        if found:
            return found[0]
    return Address("", decode_words(fields.first("from"))[:300])


def _addresses(fields: HeaderFields, name: str) -> tuple[Address, ...]:
    """The addresses of all headers of that name; some mailers write several."""
    values = fields.all(name)
    if len(values) == 1:
        return parse_addresses(values[0])
    return tuple([address for value in values for address in parse_addresses(value)])


def _date(internal: object, fields: HeaderFields) -> datetime:
    """Gmail's internalDate, else the Date header, else the last Received header, else the epoch."""
    told = moment_of(internal)
    if told is not None and told > EPOCH:
        return told
    return written_of(fields.first("date")) or written_of(fields.first("received").rpartition(";")[2]) or EPOCH


def written_of(value: str) -> datetime | None:
    """Parses a date header; None if it is invalid or outside 1970 to 2200."""
    try:
        found = parsedate_to_datetime(value)
        found = (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError, TypeError):
        return None
    return found if EPOCH <= found < END else None


def message_id_of(value: str) -> str:
    """Returns the first id with its angle brackets; an id without brackets gets them."""
    found = MESSAGE_ID.search(value) if value else None
    if found:
        return found[0]
    bare = value.strip()
    return f"<{bare}>" if bare and len(bare) < 998 and MESSAGE_ID.fullmatch(f"<{bare}>") else ""


def _references(value: str) -> tuple[str, ...]:
    return tuple(MESSAGE_ID.findall(value)[-MOST_REFERENCES:]) if value else ()


def _attachment(part: MimePart, parts: Sequence[MimePart], rich: bool) -> RemoteAttachment:
    """A file, or a picture that the HTML shows by its Content-ID.

    "Content-Disposition: inline" alone is not enough: Apple Mail writes it on every PDF and photo.
    """
    disposition = part.header("Content-Disposition").strip().lower()
    content_id = part.header("Content-ID").strip().strip("<>")
    shown = rich and bool(content_id) and part.mime_type.startswith("image/")
    return RemoteAttachment(
        part_id=part.part_id,
        filename=_filename(part, parts),
        mime_type=part.mime_type or "application/octet-stream",
        size=count_of(part.size) or len(part.raw) * 3 // 4,
        gmail_attachment_id=part.attachment_id,
        content_id=one_line(content_id),
        inline=shown and not disposition.startswith("attachment"),
    )


def _filename(part: MimePart, parts: Sequence[MimePart]) -> str:
    """The sender's file name without any path; parts without a name get a default."""
    name = re.sub(r"^.*[/\\]", "", decode_words(part.filename)).strip(" .")
    if name:
        return name[:200]
    if part.mime_type in {"message/rfc822", "message/global"}:
        inner = parts[part.children[0]].header("Subject") if part.children else ""
        subject = UNSAFE_IN_NAME.sub("_", decode_words(inner or part.header("Subject")))[:80].strip()
        return f"{subject or 'message'}.eml"
    return PLAIN_NAMES.get(part.mime_type, "")


def _text(source: dict[str, object], key: str) -> str:
    value = source.get(key)
    return value if isinstance(value, str) else ""


def _history_id(value: object) -> HistoryId:
    """A message's history id, 0 if it has none."""
    try:
        return history_id_of(value)
    except ValueError:
        return HistoryId(0)
