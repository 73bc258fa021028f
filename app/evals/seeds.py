"""Examples: mails written for the program, each with its verdict, in the YAML files of `resources/seeds`.

The shipped weights are trained on them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from app.agent.retrieval import mail_text
from app.config.paths import resource
from app.domain.errors import BadFile
from app.domain.ids import AccountId, GmailId, GmailThreadId, MessageId, ThreadId
from app.domain.mail.message import Account, Address, Message, SystemLabel
from app.domain.mail.triage import Category, Decision
from app.domain.ports.agents import Contact

SEED_ACCOUNT = Account(AccountId(0), "owner@own.example", "Owner", ("owner@own.example",), "", "")
_AT = datetime(2024, 1, 1, tzinfo=UTC)
_MARK_HEADERS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "list": (("List-Unsubscribe", "<https://list.example/unsubscribe>"),),
    "id": (("List-Id", "<talk.list.example>"),),
    "bulk": (("Precedence", "bulk"),),
    "auto": (("Auto-Submitted", "auto-generated"),),
}


@dataclass(frozen=True, slots=True)
class Seed:
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
        """The text that is embedded."""
        return mail_text(self.subject, self.body)


def load_seeds(folder: Path | None = None) -> tuple[Seed, ...]:
    """All seeds, by file name and order. Raises `BadFile`."""
    place = folder or resource("seeds")
    return tuple(seed for path in sorted(place.glob("*.yaml")) for seed in _read(path))


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


def _read(path: Path) -> list[Seed]:
    try:
        groups = YAML(typ="safe", pure=True).load(path)
        return [_seed(group, mail) for group in groups for mail in group["mails"]]
    except YAMLError as error:
        raise BadFile(path.name, 0, f"This is not YAML: {error}", "Mend the file.") from error
    except (KeyError, TypeError, ValueError) as error:
        raise BadFile(path.name, 0, f"A group or a mail is incomplete: {error!r}.", "Compare it with others.") from error


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
    number: int,
    sender: Address,
    to: Sequence[str],
    subject: str,
    body: str,
    headers: tuple[tuple[str, str], ...],
    answers: str,
) -> Message:
    label = SystemLabel.SENT if sender.email == SEED_ACCOUNT.email else SystemLabel.INBOX
    return Message(
        id=MessageId(number), account_id=AccountId(0), thread_id=ThreadId(0),
        gmail_id=GmailId(""), gmail_thread_id=GmailThreadId(""),
        date=_AT.replace(day=number), sender=sender, to=tuple(Address(email) for email in to), cc=(), bcc=(), reply_to=(),
        subject=subject, snippet="", body_text=body, body_html="", rfc822_id=f"<{number}@seed>", in_reply_to=answers,
        references=(), headers=headers, labels=frozenset({label}), attachments=(),
    )  # fmt: skip
