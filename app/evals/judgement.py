"""Measures judgement without a language model: `python -m app.evals.judgement [--sample] [--box DIR ...] [--wrong] [--json]`.

On the half of the own set that was not tuned on (with `--sample` on the sample mailbox) it reports decisions, spam, phishing and
calibration. With `--box` it replays real mailboxes in date order: it learns from the first half and judges the second, cold and
after learning. There a mail that was answered is one that wanted it, and what no label tells is empty: phishing, complete drafts,
Waiting.
"""

import argparse
import json
import math
import statistics
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from app.agent.retrieval import MiniLm
from app.agent.triage.classifier import LocalTriage, shipped_weights, text_of
from app.agent.triage.evidence import gather
from app.agent.triage.habits import Habits
from app.agent.triage.owner_model import AnswerHistory
from app.domain.ids import AccountId
from app.domain.mail.message import Account, Message
from app.domain.mail.triage import Category, Decision, Triage, phishing_reasons, reason_text
from app.domain.record import Record
from app.evals.drafting import draft_box
from app.evals.judgement_mail import BoxMail, LabelledBox, LabelledMail, read_labelled, read_mailbox, read_sample_labels
from app.evals.mail_files import read_mbox
from app.evals.replies import rates, read_drafts, read_sent

SURE = 0.9
BINS = 10
BOX_DRAFTS = 50
"""Drafts of a mailbox of which the warnings are counted."""


class JudgedLabelled(Record):
    """A labelled mail with its verdict. `time_ms` is processor time."""

    mail: LabelledMail
    given: Triage
    time_ms: float

    @property
    def phishing(self) -> bool:
        return bool(phishing_reasons(self.given.reason))

    @property
    def right(self) -> bool:
        return self.given.decision == self.mail.decision


class Share(Record):
    """A share of hits with its Wilson interval of 95 %."""

    hits: int
    of: int

    @property
    def value(self) -> float | None:
        """The share, None where there is nothing to count."""
        return self.hits / self.of if self.of else None

    @property
    def interval(self) -> tuple[float, float]:
        """Lower and upper end."""
        if not self.of:
            return 0.0, 1.0
        z, share = 1.96, self.hits / self.of
        middle = share + z * z / (2 * self.of)
        spread = z * math.sqrt(share * (1 - share) / self.of + z * z / (4 * self.of * self.of))
        scale = 1 + z * z / self.of
        return (middle - spread) / scale, (middle + spread) / scale

    def __str__(self) -> str:
        low, high = self.interval
        return "none" if self.value is None else f"{self.value:.3f} ({self.hits}/{self.of}, {low:.3f} to {high:.3f})"


def judge_labelled(mails: Sequence[LabelledMail]) -> list[JudgedLabelled]:
    """Judges each mail by the shipped weights, with what the label says of the sender. The embedding is not needed."""
    triage = LocalTriage()
    judged = []
    for mail in mails:
        started = time.thread_time()
        given = triage.judge(mail.message, mail.thread, mail.account, (), mail.contact)
        judged.append(JudgedLabelled(mail, given, (time.thread_time() - started) * 1000))
    return judged


def shares(judged: Sequence[JudgedLabelled]) -> dict[str, Share]:
    """The shares that are reported."""
    wanted = [one for one in judged if one.mail.decision == Decision.RESPOND]
    given = [one for one in judged if one.given.decision == Decision.RESPOND]
    honest = [one for one in judged if not (one.mail.spam or one.mail.phishing)]
    phishing = [one for one in judged if one.mail.phishing]
    named = [one for one in judged if one.phishing]
    sure = [one for one in judged if one.given.confidence >= SURE]
    return {
        "decision_accuracy": _share([one.right for one in judged]),
        "respond_precision": _share([one.mail.decision == Decision.RESPOND for one in given]),
        "respond_recall": _share([one.given.decision == Decision.RESPOND for one in wanted]),
        "spam_false_share": _share([one.given.category is Category.SPAM for one in honest]),
        "answer_wanted_but_ignored": _share([one.given.decision == Decision.IGNORE for one in wanted]),
        "wanted_but_dropped": _share(
            [one.given.decision == Decision.IGNORE for one in judged if one.mail.decision != Decision.IGNORE]
        ),
        "phishing_precision": _share([one.mail.phishing for one in named]),
        "phishing_recall": _share([one.phishing for one in phishing]),
        "right_at_90": _share([one.right for one in sure]),
    }


def f1(wanted: Sequence[bool], given: Sequence[bool]) -> float:
    """The harmonic mean of precision and recall."""
    hits = sum(one and two for one, two in zip(wanted, given, strict=True))
    return 2 * hits / max(1, sum(wanted) + sum(given))


def calibration_error(confidences: Sequence[float], right: Sequence[bool]) -> float:
    """The expected calibration error over ten bins."""
    error = 0.0
    for bin_ in range(BINS):
        inside = [
            place
            for place, one in enumerate(confidences)
            if bin_ / BINS <= one < (bin_ + 1) / BINS or (one >= 1.0 and bin_ == BINS - 1)
        ]
        if inside:
            said = statistics.fmean(confidences[place] for place in inside)
            true = statistics.fmean(right[place] for place in inside)
            error += len(inside) / len(confidences) * abs(said - true)
    return error


def figures(judged: Sequence[JudgedLabelled]) -> dict[str, float | None]:
    """All figures of the own set. What other measurements fill is None."""
    wanted = [one.mail.decision == Decision.RESPOND for one in judged]
    told = {name: share.value for name, share in shares(judged).items()}
    marks = [any("?" in line for line in text_of(one.mail.message).splitlines()[1:]) for one in judged]
    times = sorted(one.time_ms for one in judged)
    return {
        **{name: told[name] for name in ("decision_accuracy", "respond_precision", "respond_recall")},
        "question_mark_f1": f1(wanted, marks),
        "respond_f1": f1(wanted, [one.given.decision == Decision.RESPOND for one in judged]),
        **{name: told[name] for name in ("spam_false_share", "phishing_precision", "phishing_recall", "right_at_90")},
        "ece": calibration_error([one.given.confidence for one in judged], [one.right for one in judged]),
        **dict.fromkeys(_REPLIES),
        "ms_per_mail_p95": times[int(0.95 * (len(times) - 1))] if times else None,
    }


_REPLIES = ("draft_complete_share", "flags_per_draft", "flagged_share", "false_flag_share", "waiting_precision", "waiting_recall")
"""Figures of drafts, warnings and Waiting, which `app.evals.replies` measures."""


def _share(hits: Sequence[bool]) -> Share:
    return Share(sum(hits), len(hits))


class JudgedBoxMail(Record):
    """A mail of the second half of a mailbox: was it answered, how likely that was, and the verdict."""

    answered: bool
    likely: float
    given: Triage
    time_ms: float
    asks: bool

    @property
    def sure(self) -> float:
        return max(self.likely, 1.0 - self.likely)

    @property
    def right(self) -> bool:
        """Whether the likelier of both came."""
        return (self.likely >= 0.5) is self.answered


def judge_box(box: LabelledBox) -> dict[str, list[JudgedBoxMail]]:
    """Judges the second half of a mailbox, cold, and `learnt` from its first half."""
    received = [one for one in box.mails if one.answered is not None]
    split = received[len(received) // 2].message.date
    reader = AnswerHistory(box.account, shipped_weights().adaptable)
    cold, learnt = LocalTriage(), LocalTriage()
    judged: dict[str, list[JudgedBoxMail]] = {"cold": [], "learnt": []}
    for one, thread, habits in box.replay():
        late = one.message.date >= split
        if late and not judged["cold"]:
            learnt = LocalTriage(owners={box.account.id: reader.model()})
        if late and one.answered is not None:
            judged["cold"].append(_judge_one(one, thread, box, cold, None))
            judged["learnt"].append(_judge_one(one, thread, box, learnt, habits))
        if late:
            reader.history.add(one.message)
        else:
            reader.add(one.message)
    return judged


def _judge_one(
    one: BoxMail, thread: tuple[Message, ...], box: LabelledBox, triage: LocalTriage, habits: Habits | None
) -> JudgedBoxMail:
    started = time.thread_time()
    text = text_of(one.message)
    seen = gather(one.message, thread, box.account, None, text, habits)
    given = triage.verdict(one.message, box.account, seen)
    elapsed_ms = (time.thread_time() - started) * 1000
    asks = any("?" in line for line in text.splitlines()[1:])
    return JudgedBoxMail(bool(one.answered), triage.likelihood(one.message, seen).respond, given, elapsed_ms, asks)


def box_figures(judged: Sequence[JudgedBoxMail]) -> dict[str, float | None]:
    """The figures of one mailbox: those of the own set, then order, misses and shares."""
    answered = [one.answered for one in judged]
    kept = [one for one in judged if one.answered]
    given = [one.given.decision == Decision.RESPOND for one in judged]
    times = sorted(one.time_ms for one in judged)
    return {
        "decision_accuracy": _share([one == two for one, two in zip(given, answered, strict=True)]).value,
        "respond_precision": _share([one.answered for one in judged if one.given.decision == Decision.RESPOND]).value,
        "respond_recall": _share([one.given.decision == Decision.RESPOND for one in kept]).value,
        "question_mark_f1": f1(answered, [one.asks for one in judged]),
        "respond_f1": f1(answered, given),
        "spam_false_share": _share([one.given.category is Category.SPAM for one in judged]).value,
        **dict.fromkeys(("phishing_precision", "phishing_recall")),
        "right_at_90": _share([one.right for one in judged if one.sure >= SURE]).value,
        "ece": calibration_error([one.sure for one in judged], [one.right for one in judged]),
        **dict.fromkeys(_REPLIES),
        "ms_per_mail_p95": times[int(0.95 * (len(times) - 1))],
        "mails": len(judged),
        "answered": sum(answered),
        "auc": area_under_curve([one.likely for one in judged], answered),
        "best_f1": max(f1(answered, [one.likely >= step / 50 for one in judged]) for step in range(1, 50)),
        "answered_called_spam": _share([one.given.category is Category.SPAM for one in kept]).value,
        "answered_ignored": _share([one.given.decision == Decision.IGNORE for one in kept]).value,
        "ignored_share": _share([one.given.decision == Decision.IGNORE for one in judged]).value,
        "respond_share": _share(given).value,
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


def table(pairs: Sequence[tuple[str, str]], names: Sequence[str]) -> str:
    """A confusion table: rows are wanted, columns are given."""
    head = " " * 18 + "".join(f"{name[:9]:>10}" for name in names)
    rows = [f"{row:<18}" + "".join(f"{sum(pair == (row, column) for pair in pairs):>10}" for column in names) for row in names]
    return "\n".join([head, *rows])


def report(judged: Sequence[JudgedLabelled]) -> str:
    """The figures with intervals, and the confusion of decisions, as text."""
    pairs = [(one.mail.decision, str(one.given.decision)) for one in judged]
    categories = [(one.mail.category, str(one.given.category)) for one in judged if one.mail.category]
    lines = [f"{len(judged)} mails", *(f"{name:<28}{share}" for name, share in shares(judged).items())]
    told = figures(judged)
    lines += [f"{name:<28}{told[name]}" for name in ("respond_f1", "question_mark_f1", "ece", "ms_per_mail_p95")]
    owners = sorted({one.mail.origin for one in judged})
    for owner in owners:
        some = [one for one in judged if one.mail.origin == owner]
        lines.append(f"  {owner:<26}{_share([one.right for one in some])}")
    lines.append(table(pairs, [str(one) for one in Decision]))
    if categories:
        lines += [f"categories: {_share([a == b for a, b in categories])}", table(categories, [str(one) for one in Category])]
    return "\n".join(lines)


def wrong(judged: Sequence[JudgedLabelled], most: int = 20) -> str:
    """The surest wrong verdicts, one a line."""
    worst = sorted((one for one in judged if not one.right), key=lambda one: -one.given.confidence)[:most]
    triage = LocalTriage()
    return "\n".join(
        f"{one.mail.name:<15} {one.mail.decision:<8} given {one.given.decision:<8}{one.given.confidence:.2f} {one.given.maker} "
        f"{one.mail.kind}: {reason_text(one.given.reason)} {_counted(triage, one)}"
        for one in worst
    )


def _counted(triage: LocalTriage, one: JudgedLabelled) -> str:
    mail = one.mail
    seen = gather(mail.message, mail.thread, mail.account, mail.contact, text_of(mail.message))
    return " ".join(f"{name}{added:+}" for name, added in triage.counted(mail.message, seen, one.given.decision))


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m app.evals.judgement")
    parser.add_argument("--labelled", type=Path, default=Path("tests/data/judgement"))
    parser.add_argument("--half", choices=("tuning", "held"), default="held")
    parser.add_argument("--sample", action="store_true", help="the sample mailbox instead of the own set")
    parser.add_argument("--mbox", type=Path, help="count verdicts on mail without labels instead")
    parser.add_argument("--box", type=Path, action="append", default=[])
    parser.add_argument("--wrong", action="store_true", help="list the worst verdicts")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    if options.mbox:
        sys.stdout.write(count_mbox(options.mbox) + "\n")
        return 0
    mails = read_sample_labels(datetime.now(UTC)) if options.sample else read_labelled(options.labelled, options.half)
    judged = judge_labelled(mails)
    boxes = {f"{folder.name} {kind}": told for folder in options.box for kind, told in _both(read_mailbox(folder)).items()}
    if options.json or boxes:
        own = figures(judged) | _replies(options.labelled, options.half)
        sets = {f"own set, {options.half}": own, **boxes}
        sys.stdout.write((json.dumps(sets if boxes else own) if options.json else side_by_side(sets)) + "\n")
        return 0
    sys.stdout.write(report(judged) + "\n" + (wrong(judged) + "\n" if options.wrong else ""))
    return 0


def count_mbox(path: Path) -> str:
    """Verdicts on mail without known answers, one per line, and their counts.

    Each mail is judged for its first recipient, who has no contacts.
    """
    triage, lines, counted = LocalTriage(), [], Counter[str]()
    for mail in read_mbox(path):
        account = Account(AccountId(1), next((one.email for one in mail.to), ""), "", (), "", "")
        given = triage.judge(mail, (mail,), account, (), None)
        counted[f"{given.decision}/{given.category}"] += 1
        lines.append(
            f"{mail.id:>4} {given.decision}/{given.category} {given.confidence:.2f} {given.maker} {reason_text(given.reason)}"
        )
    return "\n".join([*lines, str(counted.most_common())])


def side_by_side(sets: Mapping[str, Mapping[str, float | None]]) -> str:
    """A table of figures, one column for each set."""
    names = list(dict.fromkeys(name for told in sets.values() for name in told))
    head = " " * 22 + "".join(f"{name:>18}" for name in sets)
    return "\n".join(
        [head, *(f"{name:<22}" + "".join(f"{_shown(told.get(name)):>18}" for told in sets.values()) for name in names)]
    )


def _shown(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _replies(folder: Path, half: str) -> dict[str, float | None]:
    """The figures of drafts, warnings and Waiting."""
    return dict(rates(read_drafts(folder, half, MiniLm.open()), read_sent(folder, half)).shares)


def _both(box: LabelledBox) -> dict[str, dict[str, float | None]]:
    """The figures cold and learnt. All drafts answer their senders, so each of their warnings is false."""
    drafts = draft_box(box, MiniLm.open(), BOX_DRAFTS)
    flags = [len(one.flags) for one in drafts]
    flagged = _share([count > 0 for count in flags]).value
    warned = {"flags_per_draft": statistics.fmean(flags or [0]), "flagged_share": flagged, "false_flag_share": float(any(flags))}
    return {name: box_figures(judged) | warned for name, judged in judge_box(box).items()}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
