"""Labelled mail for measuring and training judgement.

The project's own set, real mailboxes with labels of what was answered, and the seeds: mails written for the program, each with
its verdict, in the YAML files of `resources/seeds`.
"""

import gzip
import json
import mailbox
import os
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import msgspec
from ruamel.yaml import YAML

from app.agent.retrieval import mail_text
from app.agent.triage.habits import Habits, MailHistory
from app.config.paths import resource
from app.domain.errors import BadFile
from app.domain.ids import AccountId, AttachmentId, GmailId, GmailThreadId, MessageId, ThreadId
from app.domain.language.words import fold
from app.domain.mail.message import Account, Address, Attachment, MailContent, Message, SystemLabel
from app.domain.mail.triage import Category, Decision
from app.domain.ports.agents import Contact
from app.domain.record import Record, replace
from app.mail.archives.resource import resource_of
from app.mail.parse import parse_message, written_of

_NO_DATE = datetime(2001, 1, 1, tzinfo=UTC)
_REPLY = re.compile(r"^(?:\s*(?:re|fw|fwd|aw|wg)\s*(?:\[\d+\])?:)+\s*", re.IGNORECASE)


class LabelledText(msgspec.Struct):
    """A mail of a labelled file. Its header names may be in any case."""

    headers: dict[str, str]
    text: str
    html: str = ""
    files: list[str] = []


class _Gold(msgspec.Struct):
    decision: Literal["respond", "notify", "ignore"] = "respond"
    spam: bool = False
    phishing: bool = False
    kind: str = ""
    must_not_give: list[str] = []


class _Owner(msgspec.Struct):
    address: str
    name: str = ""


class _Line(msgspec.Struct):
    """A line of the file. `owner` is an address, or a name in `owners.json` beside the file."""

    mail: LabelledText
    gold: _Gold
    owner: str = ""
    id: str = ""
    earlier: int = 0
    answered: int = 0


class LabelledMail(Record):
    """A mail with what its owner wants, and what the mailbox knows about the sender. `origin` is the owner.

    `thread` is the conversation up to the mail. `never` are words that must not stand in a draft. `category` is empty where it
    is not labelled.
    """

    name: str
    origin: str
    message: Message
    thread: tuple[Message, ...]
    account: Account
    contact: Contact | None
    decision: str
    spam: bool = False
    phishing: bool = False
    kind: str = ""
    never: tuple[str, ...] = ()
    category: str = ""


def read_labelled(folder: Path, half: str) -> list[LabelledMail]:
    """One half (`tuning` or `held`) of the own set."""
    return [one for path in sorted(folder.glob(f"{half}-*.jsonl")) for one in read_file(path)]


def read_threats(folder: Path) -> list[LabelledMail]:
    """Phishing and honest mail that is like it, only for training."""
    return read_file(folder / "threats-tuning.jsonl")


def read_file(path: Path, me: str = "", errors: list[BadFile] | None = None) -> list[LabelledMail]:
    """The mails of a file with one JSON object a line. `me` is the owner's address where lines name none.

    Raises `BadFile` with the line of one that cannot be read, or adds it to `errors` and goes on.
    """
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise BadFile(str(path), 0, os.strerror(error.errno or 0)) from error
    owners, found = read_owners(path.with_name("owners.json")), []
    for number, line in enumerate(lines, start=1):
        try:
            if line.strip():
                found.append(_labelled(msgspec.json.decode(line, type=_Line), number, owners, me))
        except (msgspec.DecodeError, UnicodeDecodeError, ValueError) as error:
            bad = BadFile(str(path), number, str(error))
            if errors is None:
                raise bad from error
            errors.append(bad)
    return found


def read_owners(file: Path) -> dict[str, Account]:
    """The owners' accounts by name, none without the file. Raises `BadFile`."""
    try:
        found = msgspec.json.decode(file.read_bytes(), type=dict[str, _Owner]) if file.exists() else {}
    except msgspec.DecodeError as error:
        raise BadFile(str(file), 0, f"{error}; it maps names to objects with address and name") from error
    return {name: _account(one.address, one.name) for name, one in found.items()}


def _account(address: str, name: str = "") -> Account:
    return Account(AccountId(1), address, name, (address,), "", "")


def _labelled(line: _Line, number: int, owners: Mapping[str, Account], me: str) -> LabelledMail:
    """The mail of a line. Raises `ValueError` with what is wrong."""
    account = owners.get(line.owner) or _account(line.owner if "@" in line.owner else me)
    if not account.email:
        raise ValueError(f'no address of the owner {line.owner!r}: put it into "owner", or pass --me ADDRESS')
    message = labelled_message(line.mail, number, SystemLabel.INBOX)
    if not message.sender.email:
        raise ValueError("mail.headers has no From")
    contact = Contact(message.sender, line.earlier + 1, line.answered, message.date) if line.earlier else None
    gold, name = line.gold, line.id or str(number)
    wanted = (gold.decision, gold.spam, gold.phishing, gold.kind, tuple(gold.must_not_give))
    return LabelledMail(name, line.owner or account.email, message, (message,), account, contact, *wanted)


def to_message(raw: bytes, number: int, moment: datetime, labels: frozenset[str]) -> Message:
    """The source of a mail as a message, in a conversation of its own."""
    parsed = parse_message(resource_of(raw, str(number), str(number), []), clean=False)
    content: dict[str, Any] = {name: getattr(parsed, name) for name in MailContent.__struct_fields__}
    content |= {"date": moment.astimezone(UTC), "labels": labels, "body_html": parsed.html_source or parsed.body_html}
    content["rfc822_id"] = parsed.rfc822_id or f"<none-{number}>"
    files = tuple(
        Attachment(
            AttachmentId(place), MessageId(number), one.part_id, one.filename, one.mime_type, one.size, one.content_id, one.inline
        )
        for place, one in enumerate(parsed.attachments)
    )
    ids: dict[str, Any] = {"id": MessageId(number), "account_id": AccountId(1), "thread_id": ThreadId(number)}
    return Message(**content, **ids, attachments=files)


def labelled_message(mail: LabelledText, number: int, label: SystemLabel) -> Message:
    """A labelled mail as a message of a conversation of its own. Raises `ValueError` for a date that cannot be read."""
    date = next((value for name, value in mail.headers.items() if name.lower() == "date"), "")
    moment = written_of(date) if date else datetime.now(UTC)
    if moment is None:
        raise ValueError(f"mail.headers has a Date that cannot be read: {date!r}")
    head = [f"{name}: {' '.join(value.split())}" for name, value in mail.headers.items()]
    raw = "\n".join([*head, "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: 8bit", "", mail.text])
    message = to_message(raw.encode(), number, moment, frozenset({label}))
    files = (
        Attachment(AttachmentId(place), message.id, str(place), name, "application/octet-stream", 0, "", False)
        for place, name in enumerate(mail.files)
    )
    return replace(message, body_html=mail.html, attachments=tuple(files))


class BoxMail(Record):
    """A message of a mailbox in date order. `answered` is None for own mail and where nobody can know."""

    message: Message
    answered: bool | None


class LabelledBox(Record):
    name: str
    account: Account
    mails: tuple[BoxMail, ...]

    def replay(self) -> Iterator[tuple[BoxMail, tuple[Message, ...], Habits]]:
        """Each mail with its thread up to it and what was known before it."""
        history = MailHistory()
        threads: dict[ThreadId, list[Message]] = {}
        for one in self.mails:
            thread = threads.setdefault(one.message.thread_id, [])
            habits = history.before(one.message)
            thread.append(one.message)
            yield one, tuple(thread[-20:]), habits
            history.add(one.message)


def read_mailbox(folder: Path) -> LabelledBox:
    owner = json.loads((folder / "owner.json").read_text(encoding="utf-8"))
    addresses = tuple(str(one).lower() for one in owner.get("addresses") or owner["owner_addresses"])
    account = Account(AccountId(1), addresses[0], _owner_name(addresses), addresses, "", "")
    labels = {str(row["message_id"]): row for row in _lines(folder / "labels.jsonl.gz")}
    replies = {str(row["reply_id"]): key for key, row in labels.items() if row["replied"] and row["reply_id"]}
    found = [
        *_messages(folder / "inbox.mbox.gz", SystemLabel.INBOX, 1),
        *(
            replace(one, in_reply_to=replies.get(one.rfc822_id, ""))
            for one in _messages(folder / "sent.mbox.gz", SystemLabel.SENT, 1_000_000)
        ),
    ]
    ordered = _threaded(sorted(found, key=lambda one: one.date))
    return LabelledBox(folder.name, account, tuple(BoxMail(one, _answered(one, labels)) for one in ordered))


def _owner_name(addresses: Sequence[str]) -> str:
    """The owner's name as far as the longest local part tells it."""
    local = max((one.partition("@")[0] for one in addresses), key=lambda one: (one.count("."), len(one)))
    return " ".join(part.capitalize() for part in local.split(".") if part)


def _answered(message: Message, labels: Mapping[str, Mapping[str, object]]) -> bool | None:
    row = labels.get(message.rfc822_id)
    if message.outgoing or row is None or row["censored"]:
        return None
    if row["possible_unlinked_answer"] and not row["replied"]:
        return None
    return bool(row["replied"])


def _threaded(messages: Sequence[Message]) -> list[Message]:
    """The messages with thread ids: of the mail they answer, else of the last mail with the same subject."""
    by_id: dict[str, ThreadId] = {}
    by_subject: dict[str, ThreadId] = {}
    joined = []
    for one in messages:
        subject = fold(_REPLY.sub("", one.subject)).strip()
        thread = (
            by_id.get(one.in_reply_to)
            or (by_subject.get(subject) if _REPLY.match(one.subject) else None)
            or ThreadId(int(one.id))
        )
        by_id[one.rfc822_id] = thread
        if len(subject) > 3:
            by_subject[subject] = thread
        joined.append(replace(one, thread_id=thread))
    return joined


def _messages(path: Path, label: SystemLabel, first: int) -> Iterator[Message]:
    with tempfile.NamedTemporaryFile(suffix=".mbox") as file:
        file.write(gzip.decompress(path.read_bytes()))
        file.flush()
        for number, one in enumerate(mailbox.mbox(file.name, create=False), start=first):
            yield to_message(one.as_bytes(), number, written_of(str(one["Date"] or "")) or _NO_DATE, frozenset({label}))


def _lines(path: Path) -> Iterator[Mapping[str, object]]:
    for line in gzip.decompress(path.read_bytes()).decode("utf-8").splitlines():
        yield json.loads(line)


SEED_ACCOUNT = Account(AccountId(0), "owner@own.example", "Owner", ("owner@own.example",), "", "")
_AT = datetime(2024, 1, 1, tzinfo=UTC)
_MARK_HEADERS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "list": (("List-Unsubscribe", "<https://list.example/unsubscribe>"),),
    "id": (("List-Id", "<talk.list.example>"),),
    "bulk": (("Precedence", "bulk"),),
    "auto": (("Auto-Submitted", "auto-generated"),),
}


class Seed(Record):
    """One example.

    `marks` are facts from headers or mailbox: list, id, bulk, auto, known, reply, cc, blind (the owner is not a recipient).
    """

    decision: Decision
    category: Category
    language: str
    subject: str
    body: str
    sender: Address
    marks: frozenset[str]

    @property
    def text(self) -> str:
        return mail_text(self.subject, self.body)


def load_seeds() -> tuple[Seed, ...]:
    yaml = YAML(typ="safe", pure=True)
    groups = (group for path in sorted(resource("seeds").glob("*.yaml")) for group in yaml.load(path))
    return tuple(_seed(group, mail) for group in groups for mail in group["mails"])


def as_mail(seed: Seed) -> tuple[Message, tuple[Message, ...], Contact | None]:
    """The seed as a message, with its thread and the sender's contact card."""
    own = (SEED_ACCOUNT.email,)
    others = ("a@own.example", "b@own.example", "c@own.example") if "cc" in seed.marks else ()
    headers = tuple(pair for mark in sorted(seed.marks & _MARK_HEADERS.keys()) for pair in _MARK_HEADERS[mark])
    earlier = (_message(1, Address(own[0]), (seed.sender.email,), "", "", (), ""),) if "reply" in seed.marks else ()
    hidden = seed.marks & {"id", "blind"}
    recipients = ("talk@list.example",) if hidden else own + others
    mail = _message(2, seed.sender, recipients, seed.subject, seed.body, headers, "<1@seed>" if earlier else "")
    card = Contact(seed.sender, 3, 2, _AT) if "known" in seed.marks else None
    return mail, (*earlier, mail), card


def _seed(group: Mapping[str, str], mail: Mapping[str, str | list[str]]) -> Seed:
    name, _, email = str(mail.get("from", "Somebody <somebody@elsewhere.example>")).rstrip(">").rpartition("<")
    return Seed(
        Decision(group["decision"]),
        Category(group["category"]),
        group["language"],
        str(mail["subject"]),
        str(mail["body"]),
        Address(email.lower(), name.strip()),
        frozenset(mail.get("marks", ())),
    )


def _message(
    number: int, sender: Address, to: Sequence[str], subject: str, body: str, headers: tuple[tuple[str, str], ...], answers: str
) -> Message:
    label = SystemLabel.SENT if sender.email == SEED_ACCOUNT.email else SystemLabel.INBOX
    return Message(
        id=MessageId(number), account_id=AccountId(0), thread_id=ThreadId(0),
        gmail_id=GmailId(""), gmail_thread_id=GmailThreadId(""),
        date=_AT.replace(day=number), sender=sender, to=tuple(Address(email) for email in to), cc=(), bcc=(), reply_to=(),
        subject=subject, snippet="", body_text=body, body_html="", rfc822_id=f"<{number}@seed>", in_reply_to=answers,
        references=(), headers=headers, labels=frozenset({label}), attachments=(),
    )  # fmt: skip
