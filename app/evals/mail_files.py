"""Reads mail for measurements from the sample mailbox's .eml files and from mbox files.

Uses the standard library only. The product reads mail through Gmail.
"""

import html
import mailbox
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from email import message_from_bytes
from email.errors import MessageError
from email.message import EmailMessage
from email.policy import default
from email.utils import getaddresses
from pathlib import Path
from zoneinfo import ZoneInfo

from ruamel.yaml import YAML

from app.domain.ids import AccountId, AttachmentId, GmailId, GmailThreadId, MessageId, ThreadId
from app.domain.mail.message import Account, Address, Attachment, Message, SystemLabel
from app.domain.ports.agents import Contact
from app.domain.record import Record, replace
from app.sandbox.samples.sample import expand_dates, moment_at

_BLOCK = re.compile(r"(?is)<(?:style|script|title)\b.*?</(?:style|script|title)>|<[^>]*display:\s*none[^>]*>.*?</[^>]+>")
_BREAK = re.compile(r"(?i)<(?:br|/p|/div|/tr|/h\d|/li)\b[^>]*>")
_TAG = re.compile(r"(?s)<[^>]*>")


class SampleBox(Record):
    """The sample mailbox: its account, and its messages by file name, oldest first."""

    account: Account
    zone: ZoneInfo
    mails: Mapping[str, Message]

    def thread(self, message: Message) -> tuple[Message, ...]:
        """The messages of a conversation up to this one, oldest first."""
        return tuple(one for one in self.mails.values() if one.thread_id == message.thread_id and one.date <= message.date)

    def contact(self, message: Message) -> Contact | None:
        """The sender's contact card at the time of this mail, None for a stranger."""
        return contact_of(self.mails.values(), message)


def contact_of(mails: Iterable[Message], message: Message) -> Contact | None:
    """The sender's contact card at the time of this mail, which counts as received. None for a stranger."""
    email = message.sender.email
    before = [one for one in mails if one.date <= message.date]
    received = sum(one.sender.email == email for one in before)
    sent = sum(one.outgoing and any(to.email == email for to in one.to + one.cc) for one in before)
    return Contact(message.sender, received, sent, message.date) if received > 1 or sent else None


def read_sample(folder: Path, now: datetime) -> SampleBox:
    """All mails of the sample as if today were `now` (aware)."""
    yaml = YAML(typ="safe", pure=True)
    owner = yaml.load(folder / "owner.yaml")
    zone = ZoneInfo(owner["timezone"])
    send_as = tuple(str(one["email"]) for one in owner["send_as"])
    account = Account(AccountId(1), owner["email"], owner["name"], send_as, owner["signature"], "")
    mails: dict[str, Message] = {}
    for number, entry in enumerate(yaml.load(folder / "index.yaml"), start=1):
        moment = moment_at(entry["at"], now, zone)
        raw = expand_dates((folder / entry["file"]).read_bytes(), moment.date())
        mails[entry["file"]] = to_message(raw, number, moment, frozenset(entry["labels"]))
    ordered = dict(sorted(mails.items(), key=lambda pair: pair[1].date))
    return SampleBox(account, zone, threaded(ordered))


def read_mbox(path: Path) -> Iterator[Message]:
    """The mails of an mbox file in order. All have the same date and the label INBOX, each in its own conversation."""
    for number, one in enumerate(mailbox.mbox(path, create=False), start=1):
        yield to_message(one.as_bytes(), number, datetime(2002, 9, 1, tzinfo=UTC), frozenset({SystemLabel.INBOX}))


def threaded(mails: Mapping[str, Message]) -> dict[str, Message]:
    """The mails with thread ids from their References."""
    thread_of: dict[str, ThreadId] = {}
    joined: dict[str, Message] = {}
    for name, mail in mails.items():
        ids = [mail.in_reply_to, *mail.references]
        thread = next((thread_of[one] for one in ids if one in thread_of), ThreadId(int(mail.id)))
        thread_of[mail.rfc822_id] = thread
        joined[name] = replace(mail, thread_id=thread)
    return joined


def to_message(raw: bytes, number: int, moment: datetime, labels: frozenset[str]) -> Message:
    mail = message_from_bytes(raw, _class=EmailMessage, policy=default)
    headers = tuple((name, _header(mail, name)) for name, _raw in mail.raw_items())
    first = {name.lower(): value for name, value in reversed(headers)}
    text, markup = _bodies(mail)
    return Message(
        id=MessageId(number), account_id=AccountId(1), thread_id=ThreadId(number), gmail_id=GmailId(str(number)),
        gmail_thread_id=GmailThreadId(str(number)), date=moment.astimezone(UTC),
        sender=next(iter(_addresses(first.get("from", ""))), Address("")), to=_addresses(first.get("to", "")),
        cc=_addresses(first.get("cc", "")), bcc=(), reply_to=_addresses(first.get("reply-to", "")),
        subject=first.get("subject", ""), snippet="", body_text=text, body_html=markup,
        rfc822_id=first.get("message-id", f"<none-{number}>").strip(), in_reply_to=first.get("in-reply-to", "").strip(),
        references=tuple(first.get("references", "").split()), headers=headers, labels=labels,
        attachments=tuple(_attachments(mail, number)),
    )  # fmt: skip


def _header(mail: EmailMessage, name: str) -> str:
    try:
        return " ".join(str(mail[name]).split())
    except (MessageError, ValueError, IndexError, AttributeError, TypeError, LookupError):
        raw = next((value for key, value in mail.raw_items() if key.lower() == name.lower()), "")
        return " ".join(str(raw).split())


def _addresses(value: str) -> tuple[Address, ...]:
    return tuple(Address(email.lower(), name) for name, email in getaddresses([value]) if email)


def _bodies(mail: EmailMessage) -> tuple[str, str]:
    """The text and the HTML. Either may be empty."""
    texts = {"text/plain": "", "text/html": ""}
    for part in mail.walk():
        kind = part.get_content_type()
        if kind in texts and not texts[kind] and not part.is_multipart():
            texts[kind] = _decoded(part)
    return texts["text/plain"] or to_text(texts["text/html"]), texts["text/html"]


def _decoded(part: EmailMessage) -> str:
    payload = part.get_payload(decode=True)
    data = payload if isinstance(payload, bytes) else b""
    try:
        return data.decode(part.get_content_charset("utf-8"), "replace")
    except LookupError:
        return data.decode("utf-8", "replace")


def to_text(markup: str) -> str:
    """HTML as plain text, roughly."""
    return html.unescape(_TAG.sub(" ", _BREAK.sub("\n", _BLOCK.sub(" ", markup)))).strip()


def _attachments(mail: EmailMessage, number: int) -> Iterator[Attachment]:
    for index, part in enumerate(mail.walk()):
        kind = part.get_content_type()
        if kind == "text/calendar":
            yield Attachment(AttachmentId(index), MessageId(number), str(index), "", kind, 0, "", False)
