"""The owner's own changes of mail: commands with a key to undo each by, and the arithmetic of many label changes. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.domain.ids import AccountId, GmailId, ThreadId


@dataclass(frozen=True, slots=True)
class ChangeLabels:
    """Put labels (Gmail label ids) on threads and take others off. `key` names the change for `UndoChange`; it is new each time.
    STARRED and UNREAD are put on a thread's newest mail only, as Gmail does."""

    key: str
    thread_ids: tuple[ThreadId, ...]
    add: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CreateLabel:
    """Make a label and put it on threads (none: only make it); `remove` as in `ChangeLabels`."""

    key: str
    account_id: AccountId
    name: str
    thread_ids: tuple[ThreadId, ...] = ()
    remove: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Snooze:
    """Take threads out of the inbox until `until_ms` (Unix time); then what lay there comes back, its newest mail unread."""

    key: str
    thread_ids: tuple[ThreadId, ...]
    until_ms: int


@dataclass(frozen=True, slots=True)
class UndoChange:
    """Take one change back: exactly what it changed, on this machine and, where it has left already, on the server."""

    key: str


@dataclass(frozen=True, slots=True)
class LabelChange:
    """Labels to put on and to take off the same messages."""

    gmail_ids: tuple[GmailId, ...]
    add: tuple[str, ...]
    remove: tuple[str, ...]


def fold(changes: Iterable[LabelChange]) -> tuple[LabelChange, ...]:
    """The same as `changes` one after the other, in as few as there are different outcomes; for each label of a message the
    last word counts."""
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
    """`ids` in pieces of at most `most`."""
    return [tuple(ids[at : at + most]) for at in range(0, len(ids), most)]


Change = ChangeLabels | CreateLabel | Snooze | UndoChange
