"""Trying triage on the owner's past mail: each message with how likely it wanted an answer, and what other limits would do. Pure.

A missed message is one that the owner answered although triage would not have said that it needs a reply.
"""

from collections.abc import Sequence

from app.domain.ids import MessageId, ThreadId
from app.domain.mail.triage import Decision
from app.domain.record import Record

RESPOND_FROM = 0.45
"""Probability from which a message needs a reply: a missed one costs more than one shown for nothing."""

IGNORE_FROM = 0.5
FEWEST_ANSWERED = 20
"""Answered messages from which the owner's own model is used. With fewer it is a cold start."""

CHOICES = (1, 2, 5, 10, 20, 30, 50)
"""Missed messages in 100 answered ones that can be chosen."""

HIDDEN_IN_100 = 1
"""Answered messages in 100 that may be ignored, whatever may be missed; one of fewer, which says too little to change it."""

_LEAST = 0.02
_MOST = 0.95


class TriageLimits(Record):
    """Probabilities from which a message needs a reply, and from which one that does not is ignored."""

    respond_from: float = RESPOND_FROM
    ignore_from: float = IGNORE_FROM

    def learned(self, respond_from: float) -> "TriageLimits":
        """These limits, or those with what the owner's archive taught where the owner chose none."""
        return TriageLimits(respond_from, self.ignore_from) if self == STANDARD else self


STANDARD = TriageLimits()


class BacktestRow(Record):
    """One received message, judged from what came before it.

    `settled` is the decision of headers and threats, which no limit changes; empty for none. `answered` is None where the
    message is too new to know.
    """

    message_id: MessageId
    thread_id: ThreadId
    respond: float
    ignore: float
    settled: str
    answered: bool | None

    def decision(self, limits: TriageLimits) -> Decision:
        if self.settled:
            return Decision(self.settled)
        if self.respond >= limits.respond_from:
            return Decision.RESPOND
        return Decision.IGNORE if self.ignore >= limits.ignore_from else Decision.NOTIFY


class BacktestFigures(Record):
    """Counts of messages. `marked` would need a reply; `right` of them were answered. `missed` were answered and would not have
    been marked; `hidden` of them would have been ignored.
    """

    received: int
    answered: int
    marked: int
    right: int
    missed: int
    hidden: int
    ignored: int


def figures(rows: Sequence[BacktestRow], limits: TriageLimits) -> BacktestFigures:
    """What triage would have done with these limits. Messages that are too new to know count as received only."""
    known = [(one.decision(limits), bool(one.answered)) for one in rows if one.answered is not None]
    return BacktestFigures(
        received=len(known),
        answered=sum(answered for _, answered in known),
        marked=sum(decision is Decision.RESPOND for decision, _ in known),
        right=sum(decision is Decision.RESPOND and answered for decision, answered in known),
        missed=sum(decision is not Decision.RESPOND and answered for decision, answered in known),
        hidden=sum(decision is Decision.IGNORE and answered for decision, answered in known),
        ignored=sum(decision is Decision.IGNORE for decision, _ in known),
    )


def limits_for(rows: Sequence[BacktestRow], misses: int) -> TriageLimits:
    """The highest limits with which at most `misses` in 100 answered messages are missed, and one in 100 is ignored.

    What headers settle is missed whatever the limit is; then the lowest limit comes nearest.
    """
    answered = [one for one in rows if one.answered]
    if not answered:
        return STANDARD
    likely = sorted(one.respond for one in answered if not one.settled)
    settled = sum(one.settled not in ("", Decision.RESPOND) for one in answered)
    spare = misses * len(answered) // 100 - settled
    respond_from = likely[min(spare, len(likely) - 1)] if likely and spare >= 0 else _LEAST
    respond_from = max(_LEAST, min(_MOST, int(respond_from * 1000) / 1000))
    quiet = sorted((one.ignore for one in answered if not one.settled and one.respond < respond_from), reverse=True)
    place = max(1, HIDDEN_IN_100 * len(answered) // 100)
    ignore_from = IGNORE_FROM if len(quiet) <= place else max(IGNORE_FROM, min(1.0, quiet[place] + 0.001))
    return TriageLimits(respond_from, round(ignore_from, 3))
