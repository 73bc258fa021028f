"""Replays the owner's past mail and judges each message only from what came before it.

The owner's model is fitted again after every `REFIT` messages, on what was known by then. Corrections are left out, as they came
later. Labels are those of today, so mail in Spam and Trash is not judged.
"""

from dataclasses import dataclass, field
from datetime import datetime

from app.agent.triage.classifier import LocalTriage, shipped_weights
from app.agent.triage.owner_model import AnswerHistory, OwnerModel
from app.domain.agents.backtest import BacktestRow
from app.domain.mail.message import Account, Message, SystemLabel

REFIT = 300
_NOT_JUDGED = frozenset({SystemLabel.SPAM, SystemLabel.TRASH, SystemLabel.DRAFT})


@dataclass(slots=True)
class Backtest:
    """Fed in date order with all mail of an account. Messages from `since` on are judged."""

    account: Account
    since: datetime
    _reader: AnswerHistory = field(init=False)
    _triage: LocalTriage = field(init=False)
    _judged: dict[int, BacktestRow] = field(default_factory=dict)
    _fitted_at: int = -REFIT
    _read: int = 0

    def __post_init__(self) -> None:
        self._reader = AnswerHistory(self.account, shipped_weights())
        self._triage = LocalTriage()

    def add(self, message: Message) -> None:
        self._read += 1
        judged = message.date >= self.since and not (message.outgoing or message.labels & _NOT_JUDGED)
        if judged and self._read - self._fitted_at >= REFIT:
            self._triage = LocalTriage(owners={self.account.id: self._reader.model()})
            self._fitted_at = self._read
        seen = self._reader.add(message)
        if not judged or seen is None:
            return
        settled = self._triage.settled(message, self.account, seen)
        likely = self._triage.likelihood(message, seen)
        decision = str(settled.decision) if settled is not None else ""
        respond, ignore = round(likely.respond, 4), 0.0 if likely.kept else round(likely.ignore, 4)
        self._judged[message.id] = BacktestRow(message.id, message.thread_id, respond, ignore, decision, None)

    def rows(self) -> tuple[BacktestRow, ...]:
        """The judged messages with what became of each, oldest first."""
        answered = self._reader.outcomes()
        return tuple(
            BacktestRow(one.message_id, one.thread_id, one.respond, one.ignore, one.settled, answered.get(one.message_id))
            for one in self._judged.values()
        )

    def model(self) -> OwnerModel:
        return self._reader.model()
