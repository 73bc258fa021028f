"""Measures triage without a model: `python -m app.evals.triage [--wrong] [--mbox FILE]`.

Prints accuracy and confusion tables for the sample mailbox's expected verdicts. With `--mbox` it only counts verdicts, for mail
without known answers.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from ruamel.yaml import YAML

from app.agent.retrieval import MiniLm
from app.agent.triage.classifier import LocalTriage, text_of
from app.config.paths import resource
from app.domain.ids import AccountId
from app.domain.mail.message import Account, Message
from app.domain.mail.triage import Category, Decision, Triage, reason_text
from app.evals.mail_files import SampleBox, read_mbox, read_sample


@dataclass(frozen=True, slots=True)
class JudgedMail:
    """A mail with the expected and the given verdict."""

    file: str
    message: Message
    decision: str
    category: str
    given: Triage


def judge_sample(box: SampleBox, expected: Sequence[dict[str, str]], triage: LocalTriage, embedder: MiniLm) -> list[JudgedMail]:
    """Judges every mail that has an expected verdict."""
    judged = []
    for entry in expected:
        mail = box.mails[entry["file"]]
        vector = embedder.embed([text_of(mail)])[0]
        given = triage.judge(mail, box.thread(mail), box.account, vector, box.contact(mail))
        judged.append(JudgedMail(entry["file"], mail, entry["decision"], entry["category"], given))
    return judged


def share(hits: Sequence[bool]) -> float:
    """The share of hits, 0 for none."""
    return sum(hits) / len(hits) if hits else 0.0


def table(pairs: Sequence[tuple[str, str]], names: Sequence[str]) -> str:
    """A confusion table: rows are expected, columns are given."""
    counted = Counter(pairs)
    head = " " * 18 + " ".join(f"{name[:9]:>9}" for name in names)
    rows = [f"{row:<18}" + " ".join(f"{counted[row, column] or '.':>9}" for column in names) for row in names]
    return "\n".join([head, *rows])


def report(judged: Sequence[JudgedMail]) -> str:
    """Accuracy and confusion tables as text."""
    decisions = [(one.decision, str(one.given.decision)) for one in judged]
    categories = [(one.category, str(one.given.category)) for one in judged]
    sure = [one.given.decision == one.decision for one in judged if one.given.confidence >= 0.8]
    lines = [
        f"{len(judged)} mails, decision {share([a == b for a, b in decisions]):.1%}, "
        f"category {share([a == b for a, b in categories]):.1%}",
        f"with confidence of 0.8 and more: {len(sure)} mails, decision {share(sure):.1%}",
        table(decisions, [str(one) for one in Decision]),
        table(categories, [str(one) for one in Category]),
    ]
    return "\n\n".join(lines)


def wrong(judged: Sequence[JudgedMail]) -> str:
    """The mails with a different verdict, one per line."""
    return "\n".join(
        f"{one.file:<55} {one.decision}/{one.category} -> {one.given.decision}/{one.given.category} "
        f"{one.given.confidence:.2f} {one.given.maker} {reason_text(one.given.reason)}"
        for one in judged
        if (one.decision, one.category) != (one.given.decision, one.given.category)
    )


def count_mbox(path: Path, triage: LocalTriage, embedder: MiniLm) -> str:
    """Verdicts on mail without known answers, one per line, and their counts.

    Each mail is judged for its first recipient, who has no contacts.
    """
    lines, counted = [], Counter[str]()
    for mail in read_mbox(path):
        account = Account(AccountId(1), next((one.email for one in mail.to), ""), "", (), "", "")
        given = triage.judge(mail, (mail,), account, embedder.embed([text_of(mail)])[0], None)
        counted[f"{given.decision}/{given.category}"] += 1
        lines.append(
            f"{mail.id:>4} {given.decision}/{given.category} {given.confidence:.2f} {given.maker} {reason_text(given.reason)}"
        )
    return "\n".join([*lines, str(counted.most_common())])


def main(arguments: Sequence[str]) -> int:
    """Prints the report."""
    parser = argparse.ArgumentParser(prog="python -m app.evals.triage")
    parser.add_argument("--wrong", action="store_true", help="list the mails judged differently")
    parser.add_argument("--mbox", type=Path, help="count verdicts on this file instead")
    options = parser.parse_args(arguments)
    embedder = MiniLm.open()
    triage = LocalTriage()
    if options.mbox is not None:
        sys.stdout.write(count_mbox(options.mbox, triage, embedder) + "\n")
        return 0
    folder = resource("sample")
    expected = YAML(typ="safe", pure=True).load(folder / "expected.yaml")
    judged = judge_sample(read_sample(folder, datetime.now(UTC)), expected, triage, embedder)
    sys.stdout.write(report(judged) + "\n")
    if options.wrong:
        sys.stdout.write(wrong(judged) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
