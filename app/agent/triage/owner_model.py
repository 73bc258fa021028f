"""What the owner's archive teaches without labels: whom and what he answered within two weeks.

The shipped weights are adapted to the archive; what changes is added to their score. Read, starred and deleted mail counts too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np

from app.agent.triage.evidence import features, gather
from app.agent.triage.habits import ANSWERED_WITHIN, Habits, MailHistory
from app.agent.triage.linear_model import LinearModel, Matrix, fit
from app.domain.ids import MessageId, ThreadId
from app.domain.mail.message import Account, Message, SystemLabel
from app.domain.mail.quotes import newest_part

FEWEST_ANSWERED = 20
"""Answered mails from which the owner's own model is used."""

STRENGTH = 3.0
LATEST = 3000
"""Received mails the model learns from, the newest ones: the fit stays under a second."""

THREAD = 20
_STARRED_WEIGHT = 0.5


@dataclass(frozen=True, slots=True)
class ArchiveRow:
    """One received mail of the archive: its features, as they were known then, and whether it was answered.

    `answered` is None where it is too new to know. `weight` is smaller for mail the owner starred but never answered.
    """

    message_id: MessageId
    row: Matrix
    answered: bool | None
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class OwnerModel:
    """Habits about senders, and what the owner's own answers change in the score of an answer.

    `centre` is the average row: what is usual for this owner changes nothing.
    """

    history: MailHistory
    model: LinearModel | None
    centre: Matrix
    examples: int

    def shift(self, found: Mapping[str, float]) -> float:
        """The log odds to add to the shipped score. 0 while too little was answered."""
        return 0.0 if self.model is None else float((self.model.row(found) - self.centre) @ self.model.weights)


class AnswerHistory:
    """Reads an archive in date order, mail by mail, and keeps the newest rows."""

    def __init__(self, account: Account, shipped: LinearModel) -> None:
        self.history = MailHistory()
        self._account = account
        self._shipped = shipped
        self._threads: dict[ThreadId, list[Message]] = {}
        self._rows: dict[MessageId, ArchiveRow] = {}
        self._dates: dict[MessageId, datetime] = {}
        self._last: datetime | None = None

    def add(self, message: Message) -> None:
        """Reads the next message."""
        habits = self.history.before(message)
        thread = self._threads.setdefault(message.thread_id, [])
        thread.append(message)
        if not message.outgoing:
            self._keep(message, tuple(thread[-THREAD:]), habits)
        answered = self.history.add(message)
        if answered is not None and answered in self._rows:
            self._rows[answered] = replace(self._rows[answered], answered=True, weight=1.0)
        self._last = message.date

    def model(self) -> OwnerModel:
        """The owner's model from all mail read so far."""
        rows = self._settled()
        return learn_owner(self.history, rows, self._shipped)

    def _keep(self, message: Message, thread: tuple[Message, ...], habits: Habits) -> None:
        text = f"{message.subject}\n{newest_part(message.body_text)}"
        seen = gather(message, thread, self._account, None, text, habits)
        weight = _STARRED_WEIGHT if SystemLabel.STARRED in message.labels else 1.0
        self._rows[message.id] = ArchiveRow(message.id, self._shipped.row(features(seen)), False, weight)
        self._dates[message.id] = message.date
        while len(self._rows) > LATEST:
            gone = next(iter(self._rows))
            del self._rows[gone], self._dates[gone]

    def _settled(self) -> list[ArchiveRow]:
        """The rows of which it is known whether they were answered."""
        last = self._last
        return [
            one
            for one in self._rows.values()
            if one.answered or (last is not None and last - self._dates[one.message_id] > ANSWERED_WITHIN)
        ]


def learn_owner(history: MailHistory, rows: Sequence[ArchiveRow], shipped: LinearModel) -> OwnerModel:
    """Fits the owner's model around the shipped weights."""
    answered = sum(one.answered is True for one in rows)
    width = len(shipped.names)
    if answered < FEWEST_ANSWERED or answered == len(rows):
        return OwnerModel(history, None, np.zeros(width), len(rows))
    table = np.vstack([one.row for one in rows])
    wanted = np.asarray([float(one.answered is True) for one in rows])
    weight = np.asarray([one.weight for one in rows])
    start = np.append(shipped.weights, shipped.bias)
    weights, _bias = fit(table, wanted, weight, STRENGTH, start)
    delta = LinearModel(shipped.names, weights - shipped.weights, 0.0)
    return OwnerModel(history, delta, np.average(table, axis=0, weights=weight), len(rows))
