"""Composes a draft or a letter (mail written by hand) as bytes: text and HTML, files, signature once, the original below.

The same input gives the same bytes. A letter that is sent is checked and raises `NotAllowed`; a saved draft leaves out what is
unfinished.
"""

import html
import re
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from email.utils import format_datetime
from functools import partial
from urllib.parse import unquote

from app.domain.drafting.draft import Draft
from app.domain.error_texts import Cause
from app.domain.errors import NotAllowed, OpenSlots
from app.domain.ids import LetterId
from app.domain.mail.letter import FileContent, Letter, LetterKind, forward_subject, forwarded_pictures, picture_id
from app.domain.mail.message import Account, Address, Message
from app.domain.mail.recipients import own_address, own_addresses, reply_subject
from app.domain.record import Record
from app.mail.compose.parts import (
    address_field,
    answered,
    checked_email,
    direction,
    file_parts,
    ids_field,
    multipart,
    references,
    same_subject,
    sendable,
    settled_subject,
    text_field,
    text_part,
    unbroken,
    unique,
)
from app.mail.html.styled import as_html, as_text, lines_as_html
from app.mail.html.visible import visible_text

MARKER = re.compile(r"<[A-Za-z0-9._+=-]{1,200}@[A-Za-z0-9.-]{1,200}>")


class Envelope(Record):
    """What is fixed around a letter.

    `about` is the message it answers or forwards, or None. `marker` is its Message-ID. `date` has the time zone that quoting
    uses.
    """

    account: Account
    about: Message | None
    marker: str
    date: datetime


def compose_draft(
    draft: Draft, account: Account, original: Message | None, marker: str, date: datetime, files: Sequence[FileContent] = ()
) -> bytes:
    """Returns an approved draft as a mail that answers `original`, if there is one.

    `marker` is the Message-ID with angle brackets; `files` are the contents of the draft's attachments. Raises `NotAllowed` and
    `OpenSlots`.
    """
    if draft.open_slots:
        raise OpenSlots(draft.open_slots)
    kind = LetterKind.REPLY if original is not None else LetterKind.NEW
    letter = Letter(
        LetterId(""),
        account.id,
        kind,
        own_address(account, original),
        draft.to,
        draft.cc,
        draft.bcc,
        subject=draft.subject,
        body=sendable(draft.body),
    )
    around = Envelope(account, original, marker, date)
    return _composed(letter, files, around, final=True, threaded=original is not None)


def compose_letter(letter: Letter, files: Sequence[FileContent], around: Envelope, final: bool) -> bytes:
    """Returns the mail in 7-bit ASCII with CRLF line ends.

    `final` means that it is to be sent. Raises `NotAllowed` and `OpenSlots`.
    """
    if final and letter.open_slots:
        raise OpenSlots(letter.open_slots)
    return _composed(letter, files, around, final=final, threaded=keeps_thread(letter, around.about))


def _composed(letter: Letter, files: Sequence[FileContent], around: Envelope, *, final: bool, threaded: bool) -> bytes:
    if not MARKER.fullmatch(around.marker):
        raise NotAllowed("Message-ID is not of the form <name@host>.")
    whole = _html(letter, around, frozenset(one.name for one in files if one.inline))
    parts = file_parts([one for one in files if not one.inline])
    pictures = file_parts([one for one in files if one.inline and f'"cid:{picture_id(one.name)}"' in whole])
    page = text_part("html", whole)
    if pictures:
        page = multipart("related", [page, *pictures], around.marker)
    body = multipart("alternative", [text_part("plain", _text(letter, around)), page], "a")
    if parts:
        body = multipart("mixed", [body, *parts], around.marker)
    return f"{_headers(letter, around, final, threaded)}MIME-Version: 1.0\r\n{body}".encode()


def keeps_thread(letter: Letter, about: Message | None) -> bool:
    """Whether the letter stays in the conversation: an answer under the same subject."""
    if about is None or not letter.kind.answers:
        return False
    return not letter.subject.strip() or same_subject(letter.subject, about.subject)


def _headers(letter: Letter, around: Envelope, final: bool, threaded: bool) -> str:
    taken: set[str] = set()
    to, cc, bcc = (unique(each if final else filter(_is_whole, each), taken) for each in (letter.to, letter.cc, letter.bcc))
    if final and not taken:
        raise NotAllowed(Cause.NO_RECIPIENT)
    lines = [
        f"Date: {format_datetime(around.date)}\r\n",
        address_field("From", [_sender(letter, around)]),
        address_field("To", to),
        address_field("Cc", cc),
        address_field("Bcc", bcc),
        text_field("Subject", _subject(letter, around.about)),
        f"Message-ID: {around.marker}\r\n",
        f"X-Replyroom-Outbox: {around.marker}\r\n",
    ]
    if threaded and around.about is not None and around.about.rfc822_id:
        lines.append(ids_field("In-Reply-To", answered(around.about)))
        lines.append(ids_field("References", references(around.about)))
    return "".join(lines)


def _subject(letter: Letter, about: Message | None) -> str:
    subject = settled_subject(unbroken("Subject", letter.subject), about if letter.kind.answers else None)
    if subject or about is None:
        return subject
    return forward_subject(about.subject) if letter.kind is LetterKind.FORWARD else reply_subject(about.subject)


def _sender(letter: Letter, around: Envelope) -> Address:
    """The chosen address, else the one that the answered message was sent to, else the main one.

    Raises `NotAllowed` if the chosen address is not the owner's.
    """
    if letter.sender:
        if letter.sender.lower() not in own_addresses(around.account):
            raise NotAllowed(Cause.SENDER_NOT_OWN, letter.sender)
        return around.account.sender(letter.sender)
    account = around.account
    return account.sender(own_address(account, around.about) if letter.kind.answers else account.email)


def _is_whole(address: Address) -> bool:
    """Whether an address is complete; half-typed ones stay out of a draft."""
    try:
        checked_email("To", address.email)
        unbroken("To", address.name)
    except NotAllowed:
        return False
    return True


def _text(letter: Letter, around: Envelope) -> str:
    pieces = [sendable(as_text(letter.body, letter.styles))]
    signature = _signature(letter, around)
    if signature:
        pieces.append(f"-- \n{visible_text(signature)}")
    if letter.quoted and around.about is not None:
        below = forwarded_text if letter.kind is LetterKind.FORWARD else quoted_text
        pieces.append(below(around.about, around.date))
    return "\n\n".join(pieces) + "\n"


def _signature(letter: Letter, around: Envelope) -> str:
    """The HTML signature of the address the letter leaves from, empty for none."""
    return around.account.identity(_sender(letter, around).email).signature.strip() if letter.signed else ""


def _html(letter: Letter, around: Envelope, pictures: Collection[str]) -> str:
    pieces = [f'<div dir="{direction(letter.body)}">{sendable(as_html(letter.body, letter.styles))}</div>']
    signature = _signature(letter, around)
    if signature:
        pieces.append(f'<br><div>-- <br><div dir="ltr" class="gmail_signature">{signature}</div></div>')
    if letter.quoted and around.about is not None:
        forwarded = letter.kind is LetterKind.FORWARD
        below = forwarded_html(around.about, around.date, pictures) if forwarded else quoted_html(around.about, around.date)
        pieces.append(f"<br>{below}")
    return "\r\n".join(pieces) + "\r\n"


NO_PICTURES: Mapping[str, str] = {}
LONGEST_QUOTED = 100_000
LONGEST_QUOTED_HTML = 300_000
DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
STYLE_ELEMENT = re.compile(r"<style>[^<]*</style>\s*")
INLINE_PICTURE = re.compile(r'(<img [^>]*?src="cid:)([^">]*)("[^>]*>)', re.IGNORECASE)
QUOTE_STYLE = "margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex"


def quoted_text(original: Message, sent: datetime) -> str:
    """Attribution line and the original's text, each line marked with `>`. Times are in the time zone of `sent`."""
    lines = [f">{line}" if line.startswith(">") else f"> {line}".rstrip() for line in _original_text(original).split("\n")]
    return "\n".join([attribution(original, sent), *lines])


def quoted_html(original: Message, sent: datetime) -> str:
    """The same as HTML. Uses the original's cleaned HTML unless it has none or it is too long."""
    head = html.escape(attribution(original, sent), quote=False)
    return (
        f'<div class="gmail_quote"><div dir="ltr" class="gmail_attr">{head}<br></div>'
        f'<blockquote class="gmail_quote" style="{QUOTE_STYLE}">{original_html(original)}</blockquote></div>'
    )


def attribution(original: Message, sent: datetime) -> str:
    sender = Address(original.sender.email, " ".join(original.sender.name.split()))
    return f"On {_day(original, sent)}, {_shown(sender) or 'somebody'} wrote:"


def _day(original: Message, sent: datetime) -> str:
    at = original.date.astimezone(sent.tzinfo)
    return f"{DAYS[at.weekday()]}, {at.day} {MONTHS[at.month - 1]} {at.year} at {at:%H:%M}"


def original_html(original: Message, pictures: Mapping[str, str] = NO_PICTURES) -> str:
    """The original's HTML without style elements. Its text instead if there is no HTML or it is too long.

    `pictures` names the letter's file of a picture in the text, by content id; other pictures are left out.
    """
    source = original.body_html
    if not source or len(source) > LONGEST_QUOTED_HTML:
        return lines_as_html(original.body_text[:LONGEST_QUOTED])
    source = INLINE_PICTURE.sub(partial(_picture, pictures), STYLE_ELEMENT.sub("", source))
    return source.replace(" data-remote-src=", " src=").replace("\r\n", "\n").replace("\n", "\r\n")


def _picture(pictures: Mapping[str, str], tag: re.Match[str]) -> str:
    name = pictures.get(unquote(html.unescape(tag[2])), "")
    return f"{tag[1]}{picture_id(name)}{tag[3]}" if name else ""


def _shown(one: Address) -> str:
    return f"{one.name} <{one.email}>" if one.name and one.email else one.email or one.name


HEADING = "---------- Forwarded message ---------"


def forwarded_text(original: Message, sent: datetime) -> str:
    """Heading, headers and text of the original. Times are in the time zone of `sent`."""
    return "\n".join([HEADING, *(f"{name}: {value}" for name, value in _head(original, sent)), "", _original_text(original)])


def forwarded_html(original: Message, sent: datetime, names: Collection[str]) -> str:
    """The same as HTML, with the pictures of the text that are among the letter's files."""
    pictures = {one.content_id: name for one, name in forwarded_pictures(original) if name in names}
    head = "<br>\r\n".join(html.escape(f"{name}: {value}", quote=False) for name, value in _head(original, sent))
    return (
        f'<div class="gmail_quote"><div dir="ltr" class="gmail_attr">{HEADING}<br>\r\n{head}<br><br></div>'
        f"{original_html(original, pictures)}</div>"
    )


def _head(original: Message, sent: datetime) -> list[tuple[str, str]]:
    people = [", ".join(map(_shown, each)) for each in ((original.sender,), original.to, original.cc)]
    lines = [("From", people[0]), ("Date", _day(original, sent)), ("Subject", original.subject), ("To", people[1])]
    return [(name, " ".join(value.split())) for name, value in [*lines, ("Cc", people[2])] if value]


def _original_text(original: Message) -> str:
    text = original.body_text
    return text if len(text) <= LONGEST_QUOTED else f"{text[:LONGEST_QUOTED]}\n[...]"
