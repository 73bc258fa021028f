"""The sample mailbox as messages, read by the product's parser."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from ruamel.yaml import YAML

from app.domain.ids import AccountId, ThreadId
from app.domain.mail.message import Account, Message
from app.domain.ports.agents import Contact
from app.domain.record import Record, replace
from app.evals.judgement_mail import to_message
from app.sandbox.samples.sample import expand_dates, moment_at


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
    """All mails of the sample as if today were `now` (aware), with thread ids from their References."""
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
    thread_of: dict[str, ThreadId] = {}
    threaded: dict[str, Message] = {}
    for name, mail in sorted(mails.items(), key=lambda pair: pair[1].date):
        ids = [mail.in_reply_to, *mail.references]
        thread_of[mail.rfc822_id] = next((thread_of[one] for one in ids if one in thread_of), mail.thread_id)
        threaded[name] = replace(mail, thread_id=thread_of[mail.rfc822_id])
    return SampleBox(account, zone, threaded)
