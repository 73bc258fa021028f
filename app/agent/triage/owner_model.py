"""What the owner's archive teaches without labels: whom and what he answered within two weeks, and what he never opened.

The shipped weights are adapted to the archive; what changes is added to their scores. Read, starred, archived unread and mail
moved to spam count as evidence, corrections most of all.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from types import MappingProxyType

import msgspec
import numpy as np

from app.agent.triage.evidence import MailEvidence, features, gather
from app.agent.triage.habits import ANSWERED_WITHIN, Habits, MailHistory
from app.agent.triage.linear_model import LinearModel, Matrix, fit
from app.domain.agents.backtest import FEWEST_ANSWERED, RESPOND_FROM
from app.domain.ids import MessageId, ThreadId
from app.domain.mail.message import Account, Message, SystemLabel
from app.domain.mail.quotes import newest_part
from app.domain.mail.triage import OwnerVerdict
from app.domain.record import Record

STRENGTH = 3.0
LATEST = 3000
"""Received mails the model learns from, the newest ones: the fit stays under a second."""

THREAD = 20
LARGEST_QUIET = 2.0
"""Most log odds by which the archive makes it likelier or less likely that a mail is ignored."""

_LIMITS = (RESPOND_FROM, 0.4, 0.35, 0.3, 0.25)
"""Limits that an archive may teach. The first of equals is taken; below the last three of four marked mails want no answer."""

_STARRED_WEIGHT = 0.5
_CORRECTED_WEIGHT = 8.0
"""A correction counts as this many mails of which only the labels are known."""


class ShippedWeights(Record):
    """The models in `resources/judgement/weights.json`, and how many examples they were trained on.

    `version` changes with the weights and with what is read from a mail.
    """

    respond: LinearModel
    ignore: LinearModel
    phishing: LinearModel
    examples: int
    version: str

    @property
    def names(self) -> tuple[str, ...]:
        """The features of the models that an archive adapts."""
        return tuple(sorted({*self.respond.names, *self.ignore.names}))


class ArchiveRow(msgspec.Struct, frozen=True, array_like=True):
    """One received mail of the archive: its features as they were known then (32-bit floats), and what became of it.

    `answered` is None where it is too new to know, `ignored` where nothing says so. `weight` is smaller for weak evidence.
    """

    message_id: int
    row: bytes
    answered: bool | None
    ignored: bool | None
    weight: float = 1.0


class SavedModel(msgspec.Struct, frozen=True, array_like=True):
    """What is stored of an owner's model: the rows it is fitted on, the names of their columns, and the weights."""

    names: tuple[str, ...]
    rows: tuple[ArchiveRow, ...]
    respond: tuple[float, ...]
    ignore: tuple[float, ...]
    centre: tuple[float, ...]


class OwnerModel(Record):
    """Habits about senders, and what the owner's own mail changes in the scores of an answer and of ignoring.

    `centre` is the average row: what is usual for this owner changes nothing. `spread` is how much each column varies. `answered`
    of `examples` were answered.
    """

    history: MailHistory
    model: LinearModel | None
    centre: Matrix
    examples: int
    answered: int = 0
    quiet: LinearModel | None = None
    spread: Matrix | None = None
    respond_from: float = RESPOND_FROM
    """Probability from which a mail needs a reply: where the archive's answered mail is told best from other mail."""

    def shift(self, found: Mapping[str, float]) -> float:
        """The log odds to add to the shipped score of an answer. 0 while too little was answered."""
        return 0.0 if self.model is None else float((self.model.row(found) - self.centre) @ self.model.weights)

    def quiet_shift(self, found: Mapping[str, float]) -> float:
        """The log odds to add to the shipped score of ignoring. 0 while too little was left unread."""
        if self.quiet is None:
            return 0.0
        shift = float((self.quiet.row(found) - self.centre) @ self.quiet.weights)
        return max(-LARGEST_QUIET, min(LARGEST_QUIET, shift))

    def shares(self, found: Mapping[str, float], ignoring: bool = False) -> dict[str, float]:
        """What each feature adds to the log odds of an answer, or of ignoring. Empty while too little was learned."""
        model = self.quiet if ignoring else self.model
        return {} if model is None else model.shares(found, self.centre)

    def strongest(self, most: int) -> tuple[tuple[str, float], ...]:
        """The features by which the archive changed scores most, with the change of their weight."""
        if self.model is None or self.spread is None:
            return ()
        order = np.argsort(-np.abs(self.model.weights * self.spread))[:most]
        return tuple((self.model.names[place], round(float(self.model.weights[place]), 3)) for place in order)


class AnswerHistory:
    """Reads an archive in date order, mail by mail, and keeps the newest rows. `saved` spares reading mail twice."""

    def __init__(self, account: Account, shipped: ShippedWeights, saved: SavedModel | None = None) -> None:
        self.history = MailHistory()
        self._account, self._shipped = account, shipped
        self._names = shipped.names
        known = saved is not None and saved.names == self._names
        self._known = {MessageId(one.message_id): one.row for one in saved.rows} if saved is not None and known else {}
        self._threads: dict[ThreadId, list[Message]] = {}
        self._rows: dict[MessageId, bytes] = {}
        self._received: dict[MessageId, datetime] = {}
        self._labels: dict[MessageId, frozenset[str]] = {}
        self._answered: set[MessageId] = set()
        self._last: datetime | None = None

    def add(self, message: Message) -> MailEvidence | None:
        """Reads the next message. Returns what was read from it; None for own mail and for mail that was read before."""
        habits = self.history.before(message)
        thread = self._threads.setdefault(message.thread_id, [])
        thread.append(message)
        seen = None if message.outgoing else self._keep(message, tuple(thread[-THREAD:]), habits)
        answered = self.history.add(message)
        if answered is not None:
            self._answered.add(answered)
        self._last = message.date
        return seen

    def knows(self, message_id: MessageId) -> bool:
        """Whether the row of a message is saved, so that its text is not needed."""
        return message_id in self._known

    def outcomes(self) -> dict[MessageId, bool | None]:
        """Whether each received message was answered within two weeks, None where it is too new to know."""
        return {message_id: self._outcome(message_id, date) for message_id, date in self._received.items()}

    def _outcome(self, message_id: MessageId, date: datetime) -> bool | None:
        if message_id in self._answered:
            return True
        return False if self._last is not None and self._last - date > ANSWERED_WITHIN else None

    def model(self) -> OwnerModel:
        return learn_owner(self.history, self.rows(), self._shipped)

    def rows(self) -> tuple[ArchiveRow, ...]:
        """The rows with what is known by now of what became of each message."""
        return tuple(self._row(message_id) for message_id in self._rows)

    def _keep(self, message: Message, thread: tuple[Message, ...], habits: Habits) -> MailEvidence | None:
        seen, row = None, self._known.get(message.id)
        if row is None:
            text = f"{message.subject}\n{newest_part(message.body_text)}"
            seen = gather(message, thread, self._account, None, text, habits)
            found = features(seen)
            row = np.asarray([found.get(name, 0.0) for name in self._names], dtype="<f4").tobytes()
        self._rows[message.id] = row
        self._received[message.id], self._labels[message.id] = message.date, message.labels
        while len(self._rows) > LATEST:
            gone = next(iter(self._rows))
            del self._rows[gone], self._labels[gone]
        return seen

    def _row(self, message_id: MessageId) -> ArchiveRow:
        labels, answered = self._labels[message_id], self._outcome(message_id, self._received[message_id])
        weight = _STARRED_WEIGHT if SystemLabel.STARRED in labels and not answered else 1.0
        return ArchiveRow(message_id, self._rows[message_id], answered, _ignored(labels, answered), weight)


def _ignored(labels: frozenset[str], answered: bool | None) -> bool | None:
    """Whether the owner did not care for a message: archived or thrown away unread, or moved to spam.

    What still lies unread in the inbox may yet be read.
    """
    if answered or SystemLabel.STARRED in labels:
        return False
    if SystemLabel.SPAM in labels:
        return True
    if SystemLabel.UNREAD not in labels:
        return False
    return None if SystemLabel.INBOX in labels else True


def _as_corrected(one: ArchiveRow, told: OwnerVerdict | None) -> ArchiveRow:
    """The row with the owner's word on it. That it is no threat says nothing about answers."""
    if told is None or told.clears:
        return one
    ignored = told is OwnerVerdict.NO_ACTION or told.dropped
    return ArchiveRow(one.message_id, one.row, told is OwnerVerdict.NEEDS_REPLY, ignored, _CORRECTED_WEIGHT)


def saved_model(model: OwnerModel, rows: tuple[ArchiveRow, ...], shipped: ShippedWeights) -> SavedModel:
    respond, ignore = (tuple(one.weights.tolist()) if one is not None else () for one in (model.model, model.quiet))
    return SavedModel(shipped.names, rows, respond, ignore, tuple(model.centre.tolist()))


def learn_owner(
    history: MailHistory,
    rows: Sequence[ArchiveRow],
    shipped: ShippedWeights,
    corrected: Mapping[MessageId, OwnerVerdict] = MappingProxyType({}),
) -> OwnerModel:
    """Fits the owner's models around the shipped weights. `corrected` is the owner's word on single messages."""
    rows = [_as_corrected(one, corrected.get(MessageId(one.message_id))) for one in rows]
    names, settled = shipped.names, [one for one in rows if one.answered is not None]
    answered = sum(one.answered is True for one in settled)
    if not rows:
        return OwnerModel(history, None, np.zeros(len(names)), 0)
    table = np.vstack([np.frombuffer(one.row, dtype="<f4").astype(np.float64) for one in rows])
    centre = np.average(table, axis=0, weights=[one.weight for one in rows])
    respond = _adapted(shipped.respond, names, table, rows, [one.answered for one in rows])
    quiet = _adapted(shipped.ignore, names, table, rows, [one.ignored for one in rows])
    limit = RESPOND_FROM if respond is None else _limit(shipped.respond, respond, centre, table, rows)
    return OwnerModel(history, respond, centre, len(settled), answered, quiet, table.std(axis=0), limit)


def _limit(shipped: LinearModel, taught: LinearModel, centre: Matrix, table: Matrix, rows: Sequence[ArchiveRow]) -> float:
    """The limit with the best F1 on the archive, at most the usual one.

    Who answers one mail in ten gets small probabilities; the usual limit then misses most of what is answered.
    """
    known = [place for place, one in enumerate(rows) if one.answered is not None]
    weights = dict(zip(shipped.names, shipped.weights, strict=True))
    start = np.asarray([float(weights.get(name, 0.0)) for name in taught.names])
    scores = table[known] @ start + shipped.bias + (table[known] - centre) @ taught.weights
    answered = np.asarray([bool(rows[place].answered) for place in known])
    marked = [scores >= np.log(limit / (1.0 - limit)) for limit in _LIMITS]
    f1 = [2.0 * float((one & answered).sum()) / max(1, int(one.sum() + answered.sum())) for one in marked]
    return _LIMITS[int(np.argmax(f1))]


def _adapted(
    shipped: LinearModel, names: tuple[str, ...], table: Matrix, rows: Sequence[ArchiveRow], told: Sequence[bool | None]
) -> LinearModel | None:
    """What the rows change in a model's weights. None where they show too little of either outcome."""
    known = [place for place, one in enumerate(told) if one is not None]
    wanted = np.asarray([float(bool(told[place])) for place in known])
    if wanted.sum() < FEWEST_ANSWERED or len(known) - wanted.sum() < FEWEST_ANSWERED:
        return None
    weight = np.asarray([rows[place].weight for place in known])
    weights = dict(zip(shipped.names, shipped.weights, strict=True))
    start = np.asarray([float(weights.get(name, 0.0)) for name in names])
    found, _bias = fit(table[known], wanted, weight, STRENGTH, np.append(start, shipped.bias))
    return LinearModel(names, found - start, 0.0)
