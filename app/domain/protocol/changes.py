"""The owner's changes of mail: commands that can be undone by a key, and the folding of label changes. Pure functions."""

from collections.abc import Iterable, Sequence

from app.domain.agents.routing import RuleAction
from app.domain.ids import AccountId, GmailId, MessageId, ThreadId
from app.domain.mail.message import SystemLabel
from app.domain.mail.triage import OwnerVerdict
from app.domain.record import Record
from app.domain.wire import Command


class ChangeLabels(Command):
    """Adds labels (Gmail label ids) to threads and removes others.

    `key` names the change for `UndoChange` and is new each time. STARRED and UNREAD are added to a thread's newest message only,
    as in Gmail.
    """

    key: str
    thread_ids: tuple[ThreadId, ...]
    add: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()


class CreateLabel(Command):
    """Creates a label and adds it to threads, if any; `remove` as in `ChangeLabels`."""

    key: str
    account_id: AccountId
    name: str
    thread_ids: tuple[ThreadId, ...] = ()
    remove: tuple[str, ...] = ()


class ApplyRule(Command):
    """Does to these messages what a rule says: adds the label of this name, and its actions."""

    key: str
    message_ids: tuple[MessageId, ...]
    label: str
    actions: tuple[RuleAction, ...]


class Snooze(Command):
    """Removes threads from the inbox until `until_ms` (Unix time). Then they come back with the newest message unread."""

    key: str
    thread_ids: tuple[ThreadId, ...]
    until_ms: int


class Mute(Command):
    """Archives threads and lets their new mail skip the inbox."""

    key: str
    thread_ids: tuple[ThreadId, ...]


class Unmute(Command):
    """Lets new mail of threads reach the inbox again."""

    thread_ids: tuple[ThreadId, ...]


class UndoChange(Command):
    """Undoes exactly what one change did. Here and, if the change has left already, on the server."""

    key: str


class CorrectVerdict(Command):
    """Says what the newest received message of each thread should have been, or `message_id` in a single thread.

    `key` names it for `UndoCorrection`. What was dropped comes back with its review item, what needs no answer loses its draft,
    and triage learns from it.
    """

    key: str
    thread_ids: tuple[ThreadId, ...]
    verdict: OwnerVerdict
    message_id: MessageId = MessageId(0)

    @property
    def add(self) -> tuple[str, ...]:
        """Labels to add. The inbox only for mail that was in Spam."""
        return (SystemLabel.SPAM,) if self.verdict.dropped else (SystemLabel.INBOX,)

    @property
    def remove(self) -> tuple[str, ...]:
        return (SystemLabel.INBOX, SystemLabel.TRASH) if self.verdict.dropped else (SystemLabel.SPAM,)


class UndoCorrection(Command):
    """Undoes a correction: verdict, labels, review items, and what was learned."""

    key: str


class LabelChange(Record):
    """Labels to add to and remove from the same messages."""

    gmail_ids: tuple[GmailId, ...]
    add: tuple[str, ...]
    remove: tuple[str, ...]


def fold(changes: Iterable[LabelChange]) -> tuple[LabelChange, ...]:
    """Merges consecutive changes into one per distinct result. For each label of a message the last change counts."""
    last: dict[GmailId, dict[str, bool]] = {}
    for change in changes:
        for gmail_id in change.gmail_ids:
            wanted = last.setdefault(gmail_id, {})
            wanted.update(dict.fromkeys(change.remove, False))
            wanted.update(dict.fromkeys(change.add, True))
    groups: dict[tuple[tuple[str, ...], tuple[str, ...]], list[GmailId]] = {}
    for gmail_id, wanted in last.items():
        add = tuple(sorted(label for label, on in wanted.items() if on))
        remove = tuple(sorted(label for label, on in wanted.items() if not on))
        if wanted:
            groups.setdefault((add, remove), []).append(gmail_id)
    return tuple(LabelChange(tuple(ids), add, remove) for (add, remove), ids in groups.items())


def chunks(ids: Sequence[GmailId], most: int) -> list[tuple[GmailId, ...]]:
    """Splits `ids` into pieces of at most `most`."""
    return [tuple(ids[at : at + most]) for at in range(0, len(ids), most)]


Change = ChangeLabels | CreateLabel | ApplyRule | Snooze | Mute | Unmute | UndoChange
Filing = ChangeLabels | CreateLabel | Snooze | Mute | CorrectVerdict
"""Changes that may take threads out of a list, each undone by its key."""
