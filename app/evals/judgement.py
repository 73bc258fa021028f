"""Measures judgement without a language model: `python -m app.evals.judgement [--box DIR ...] [--wrong] [--json]`.

On the half of the own set that was not tuned on it reports decisions, spam, phishing and calibration. With `--box` it replays
real mailboxes in date order: it learns from the first half and judges the second, cold and after learning. There a mail that was
answered is one that wanted it, and what no label tells is empty: phishing, complete drafts, Waiting.
"""

import argparse
import json
import math
import statistics
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from app.agent.retrieval import MiniLm
from app.agent.triage.classifier import LocalTriage, shipped_weights, text_of
from app.agent.triage.evidence import gather
from app.agent.triage.owner_model import AnswerHistory
from app.domain.mail.triage import Category, Decision, Triage, phishing_reasons, reason_text
from app.domain.record import Record
from app.evals.judgement_mail import LabelledBox, LabelledMail, read_labelled, read_mailbox
from app.evals.replies import draft_box, rates, read_drafts, read_sent

SURE = 0.9
BINS = 10
BOX_DRAFTS = 50
"""Drafts of a mailbox of which the warnings are counted."""

Figures = dict[str, float | None]
_REPLIES = ("draft_complete_share", "flags_per_draft", "flagged_share", "false_flag_share", "waiting_precision", "waiting_recall")
"""Figures of drafts, warnings and Waiting, which `app.evals.replies` measures."""


class JudgedMail(Record):
    """A mail with its verdict. `time_ms` is processor time.

    `wanted`: it wants an answer. `correct`: the verdict is right. `asks`: it has a question mark. `sure` is the probability of
    what was expected, and `right`, whether that came.
    """

    given: Triage
    time_ms: float
    wanted: bool
    correct: bool
    asks: bool
    sure: float
    right: bool

    @property
    def responds(self) -> bool:
        return self.given.decision is Decision.RESPOND

    @property
    def ignores(self) -> bool:
        return self.given.decision is Decision.IGNORE

    @property
    def spam(self) -> bool:
        return self.given.category is Category.SPAM


class JudgedLabelled(JudgedMail):
    mail: LabelledMail

    @property
    def phishing(self) -> bool:
        return bool(phishing_reasons(self.given.reason))


class Share(Record):
    """A share of hits with its Wilson interval of 95 %."""

    hits: int
    of: int

    @property
    def value(self) -> float | None:
        """The share, None where there is nothing to count."""
        return self.hits / self.of if self.of else None

    def __str__(self) -> str:
        if not self.of:
            return "none"
        z, share = 1.96, self.hits / self.of
        middle = share + z * z / (2 * self.of)
        spread = z * math.sqrt(share * (1 - share) / self.of + z * z / (4 * self.of * self.of))
        scale = 1 + z * z / self.of
        return f"{share:.3f} ({self.hits}/{self.of}, {(middle - spread) / scale:.3f} to {(middle + spread) / scale:.3f})"


def judge_labelled(mails: Sequence[LabelledMail]) -> list[JudgedLabelled]:
    """Judges each mail by the shipped weights, with what the label says of the sender. The embedding is not needed."""
    triage = LocalTriage()
    judged = []
    for mail in mails:
        started = time.thread_time()
        given = triage.judge(mail.message, mail.thread, mail.account, (), mail.contact)
        time_ms = (time.thread_time() - started) * 1000
        right, wanted = given.decision == mail.decision, mail.decision == Decision.RESPOND
        asks = _has_question_mark(text_of(mail.message))
        judged.append(JudgedLabelled(given, time_ms, wanted, right, asks, given.confidence, right, mail))
    return judged


def _has_question_mark(text: str) -> bool:
    return any("?" in line for line in text.splitlines()[1:])


def shares(judged: Sequence[JudgedLabelled]) -> dict[str, Share]:
    wanted = [one for one in judged if one.wanted]
    return {
        "decision_accuracy": _share([one.right for one in judged]),
        "respond_precision": _share([one.wanted for one in judged if one.responds]),
        "respond_recall": _share([one.responds for one in wanted]),
        "spam_false_share": _share([one.spam for one in judged if not (one.mail.spam or one.mail.phishing)]),
        "answer_wanted_but_ignored": _share([one.ignores for one in wanted]),
        "wanted_but_dropped": _share([one.ignores for one in judged if one.mail.decision != Decision.IGNORE]),
        "phishing_precision": _share([one.mail.phishing for one in judged if one.phishing]),
        "phishing_recall": _share([one.phishing for one in judged if one.mail.phishing]),
        "right_at_90": _share([one.right for one in judged if one.sure >= SURE]),
    }


def _share(hits: Sequence[bool]) -> Share:
    return Share(sum(hits), len(hits))


def f1(wanted: Sequence[bool], given: Sequence[bool]) -> float:
    """The harmonic mean of precision and recall."""
    hits = sum(one and two for one, two in zip(wanted, given, strict=True))
    return 2 * hits / max(1, sum(wanted) + sum(given))


def calibration_error(judged: Sequence[JudgedMail]) -> float:
    """The expected calibration error over ten bins."""
    error = 0.0
    for bin_ in range(BINS):
        inside = [one for one in judged if min(int(one.sure * BINS), BINS - 1) == bin_]
        if inside:
            said, true = statistics.fmean(one.sure for one in inside), statistics.fmean(one.right for one in inside)
            error += len(inside) / len(judged) * abs(said - true)
    return error


def figures(judged: Sequence[JudgedMail]) -> Figures:
    """The figures of the own set or of a mailbox. What other measurements fill, and no label tells, is None."""
    wanted, given = [one.wanted for one in judged], [one.responds for one in judged]
    times = sorted(one.time_ms for one in judged)
    labelled = [one for one in judged if isinstance(one, JudgedLabelled)]
    told = shares(labelled)
    return {
        "decision_accuracy": _share([one.correct for one in judged]).value,
        "respond_precision": _share([one.wanted for one in judged if one.responds]).value,
        "respond_recall": _share([one.responds for one in judged if one.wanted]).value,
        "question_mark_f1": f1(wanted, [one.asks for one in judged]),
        "respond_f1": f1(wanted, given),
        "spam_false_share": (told["spam_false_share"] if labelled else _share([one.spam for one in judged])).value,
        **{name: told[name].value for name in ("phishing_precision", "phishing_recall")},
        "right_at_90": _share([one.right for one in judged if one.sure >= SURE]).value,
        "ece": calibration_error(judged),
        **dict.fromkeys(_REPLIES),
        "ms_per_mail_p95": times[int(0.95 * (len(times) - 1))] if times else None,
    }


class JudgedBoxMail(JudgedMail):
    """A mail of the second half of a mailbox, and how likely it was that it is answered."""

    likely: float


def judge_box(box: LabelledBox) -> dict[str, list[JudgedBoxMail]]:
    """Judges the second half of a mailbox, cold, and `learnt` from its first half."""
    received = [one for one in box.mails if one.answered is not None]
    split = received[len(received) // 2].message.date
    reader = AnswerHistory(box.account, shipped_weights())
    cold, learnt = LocalTriage(), LocalTriage()
    judged: dict[str, list[JudgedBoxMail]] = {"cold": [], "learnt": []}
    for one, thread, habits in box.replay():
        if one.message.date < split:
            reader.add(one.message)
            continue
        if not judged["cold"]:
            learnt = LocalTriage(owners={box.account.id: reader.model()})
        if one.answered is not None:
            for name, triage, known in (("cold", cold, None), ("learnt", learnt, habits)):
                started, text = time.thread_time(), text_of(one.message)
                seen = gather(one.message, thread, box.account, None, text, known)
                given = triage.verdict(one.message, box.account, seen)
                time_ms, likely = (time.thread_time() - started) * 1000, triage.likelihood(one.message, seen).respond
                correct, right = (given.decision is Decision.RESPOND) is one.answered, (likely >= 0.5) is one.answered
                sure, asks = max(likely, 1.0 - likely), _has_question_mark(text)
                judged[name].append(JudgedBoxMail(given, time_ms, one.answered, correct, asks, sure, right, likely))
        reader.history.add(one.message)
    return judged


def box_figures(judged: Sequence[JudgedBoxMail]) -> Figures:
    """The figures of one mailbox: those of the own set, then order, misses and shares."""
    answered = [one.wanted for one in judged]
    kept = [one for one in judged if one.wanted]
    return {
        **figures(judged),
        "mails": len(judged),
        "answered": sum(answered),
        "auc": area_under_curve([one.likely for one in judged], answered),
        "best_f1": max(f1(answered, [one.likely >= step / 50 for one in judged]) for step in range(1, 50)),
        "answered_called_spam": _share([one.spam for one in kept]).value,
        "answered_ignored": _share([one.ignores for one in kept]).value,
        "ignored_share": _share([one.ignores for one in judged]).value,
        "respond_share": _share([one.responds for one in judged]).value,
    }


def area_under_curve(scores: Sequence[float], wanted: Sequence[bool]) -> float | None:
    """How likely a wanted mail has a higher score than another. None without both kinds."""
    positive = sum(wanted)
    if positive in (0, len(wanted)):
        return None
    _values, places, counts = np.unique(np.asarray(scores), return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[places]
    total = float(ranks[np.asarray(wanted)].sum())
    return (total - positive * (positive + 1) / 2) / (positive * (len(wanted) - positive))


def _confusion(pairs: Sequence[tuple[str, str]], names: Sequence[str]) -> str:
    """A confusion table: rows are wanted, columns are given."""
    head = " " * 18 + "".join(f"{name[:9]:>10}" for name in names)
    rows = [f"{row:<18}" + "".join(f"{sum(pair == (row, column) for pair in pairs):>10}" for column in names) for row in names]
    return "\n".join([head, *rows])


def report(judged: Sequence[JudgedLabelled]) -> str:
    """The figures with intervals, and the confusion of decisions, as text."""
    told = figures(judged)
    lines = [f"{len(judged)} mails", *(f"{name:<28}{share}" for name, share in shares(judged).items())]
    lines += [f"{name:<28}{told[name]}" for name in ("respond_f1", "question_mark_f1", "ece", "ms_per_mail_p95")]
    for owner in sorted({one.mail.origin for one in judged}):
        lines.append(f"  {owner:<26}{_share([one.right for one in judged if one.mail.origin == owner])}")
    lines.append(_confusion([(one.mail.decision, str(one.given.decision)) for one in judged], [str(one) for one in Decision]))
    categories = [(one.mail.category, str(one.given.category)) for one in judged if one.mail.category]
    if categories:
        right = _share([a == b for a, b in categories])
        lines += [f"categories: {right}", _confusion(categories, [str(one) for one in Category])]
    return "\n".join(lines)


def wrong(judged: Sequence[JudgedLabelled], most: int = 20) -> str:
    """The surest wrong verdicts, one a line."""
    worst = sorted((one for one in judged if not one.right), key=lambda one: -one.sure)[:most]
    return "\n".join(
        f"{one.mail.name:<15} {one.mail.decision:<8} given {one.given.decision:<8}{one.sure:.2f} {one.given.maker} "
        f"{one.mail.kind}: {reason_text(one.given.reason)}"
        for one in worst
    )


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m app.evals.judgement")
    parser.add_argument("--labelled", type=Path, default=Path("tests/data/judgement"))
    parser.add_argument("--half", choices=("tuning", "held"), default="held")
    parser.add_argument("--box", type=Path, action="append", default=[])
    parser.add_argument("--wrong", action="store_true", help="list the worst verdicts")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    judged = judge_labelled(read_labelled(options.labelled, options.half))
    boxes = {f"{folder.name} {kind}": told for folder in options.box for kind, told in _both(read_mailbox(folder)).items()}
    if options.json or boxes:
        drafts = read_drafts(options.labelled, options.half, MiniLm.open())
        own: Figures = {**figures(judged), **rates(drafts, read_sent(options.labelled, options.half))}
        sets = {f"own set, {options.half}": own, **boxes}
        sys.stdout.write((json.dumps(sets if boxes else own) if options.json else side_by_side(sets)) + "\n")
        return 0
    sys.stdout.write(report(judged) + "\n" + (wrong(judged) + "\n" if options.wrong else ""))
    return 0


def side_by_side(sets: Mapping[str, Figures]) -> str:
    lines = [" " * 22 + "".join(f"{name:>18}" for name in sets)]
    for name in dict.fromkeys(name for told in sets.values() for name in told):
        values = (told.get(name) for told in sets.values())
        lines.append(f"{name:<22}" + "".join(f"{'' if value is None else f'{value:.3f}':>18}" for value in values))
    return "\n".join(lines)


def _both(box: LabelledBox) -> dict[str, Figures]:
    """The figures cold and learnt. All drafts answer their senders, so each of their warnings is false."""
    flags = draft_box(box, MiniLm.open(), BOX_DRAFTS)
    flagged = _share([count > 0 for count in flags]).value
    warned = {"flags_per_draft": statistics.fmean(flags or [0]), "flagged_share": flagged, "false_flag_share": float(any(flags))}
    return {name: box_figures(judged) | warned for name, judged in judge_box(box).items()}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
