"""Trains the shipped weights of triage: `python -m app.evals.train_judgement LABELLED [--box DIR ...]`.

LABELLED is `tests/data/judgement`, of which only the tuning half is read. Other texts are the project's own examples in
`resources/seeds`, and with `--box` real mailboxes with labels of what was answered; they count little, have an
intercept of their own, and no sentence of them is kept. It writes
`resources/judgement/weights.json`. The same input gives the same weights.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from app.agent.triage.evidence import features, gather
from app.agent.triage.linear_model import Matrix, fit
from app.config.paths import resource
from app.domain.mail.message import Message
from app.domain.mail.quotes import newest_part
from app.domain.mail.triage import Decision
from app.evals.judgement_mail import read_labelled, read_mailbox
from app.evals.seeds import SEED_ACCOUNT, as_mail, load_seeds

STRENGTH = 3.0
SEED_WEIGHT = 0.2
BOX_WEIGHT = 0.1
CALIBRATION_STRENGTH = 5.0
DIGITS = 3


@dataclass(frozen=True, slots=True)
class TrainingRow:
    """Features of a mail, its decision (only respond or not for a mailbox), its origin and weight."""

    found: dict[str, float]
    decision: str
    origin: str
    weight: float


def text_of(message: Message) -> str:
    """Subject and newest part."""
    return f"{message.subject}\n{newest_part(message.body_text)}"


def own_rows(folder: Path) -> list[TrainingRow]:
    """The tuning half of the own set, and the seeds."""
    rows = []
    for one in read_labelled(folder, "tuning"):
        seen = gather(one.message, (one.message,), one.account, one.contact, text_of(one.message))
        rows.append(TrainingRow(features(seen), one.decision, one.origin, 1.0))
    for seed in load_seeds():
        message, thread, contact = as_mail(seed)
        seen = gather(message, thread, SEED_ACCOUNT, contact, seed.text)
        rows.append(TrainingRow(features(seen), str(seed.decision), "seeds", SEED_WEIGHT))
    return rows


def box_rows(folder: Path) -> list[TrainingRow]:
    """The mail of a mailbox of which it is known whether it was answered."""
    box = read_mailbox(folder)
    rows = []
    for one, thread, habits in box.replay():
        if one.answered is not None:
            seen = gather(one.message, thread, box.account, None, text_of(one.message), habits)
            decision = Decision.RESPOND if one.answered else ""
            rows.append(TrainingRow(features(seen), decision, f"box {box.name}", BOX_WEIGHT))
    return rows


def train(rows: Sequence[TrainingRow]) -> dict[str, object]:
    """The weights of both models."""
    names = sorted(rows[0].found)
    judged = [one for one in rows if one.decision]
    quiet = [one for one in rows if one.decision in (Decision.NOTIFY, Decision.IGNORE)]
    return {
        "examples": len(rows),
        "respond": _fit(rows, names, Decision.RESPOND),
        "ignore": _fit(quiet, names, Decision.IGNORE) if judged else {},
    }


def _fit(rows: Sequence[TrainingRow], names: Sequence[str], decision: Decision) -> dict[str, object]:
    boxes = sorted({one.origin for one in rows if one.origin.startswith("box ")})
    table: Matrix = np.asarray(
        [[one.found[name] for name in names] + [float(one.origin == box) for box in boxes] for one in rows]
    )
    wanted = np.asarray([float(one.decision == decision) for one in rows])
    weight = np.asarray([one.weight for one in rows])
    penalty = np.asarray([1.0] * len(names) + [0.001] * len(boxes))
    weights, bias = fit(table, wanted, weight, STRENGTH, penalty=penalty)
    weights, bias = calibrated(rows, names, wanted, weights[: len(names)], bias)
    told = {
        name: round(float(value), DIGITS) for name, value in zip(names, weights, strict=True) if abs(value) >= 0.5 * 10**-DIGITS
    }
    return {"bias": round(bias, DIGITS), "weights": told}


def calibrated(
    rows: Sequence[TrainingRow], names: Sequence[str], wanted: Matrix, weights: Matrix, bias: float
) -> tuple[Matrix, float]:
    """Stretches the scores to probabilities on the labelled set; mailboxes and seeds only help to rank."""
    own = np.asarray([one.weight == 1.0 for one in rows])
    table = np.asarray([[one.found[name] for name in names] for one in rows])[own]
    scores = (table @ weights + bias)[:, None]
    scale, shift = fit(scores, wanted[own], np.ones(int(own.sum())), CALIBRATION_STRENGTH, np.asarray([1.0, 0.0]))
    return weights * scale[0], float(bias * scale[0] + shift)


def main(arguments: Sequence[str]) -> int:
    """Trains and writes the weights."""
    parser = argparse.ArgumentParser(prog="python -m app.evals.train_judgement")
    parser.add_argument("labelled", type=Path)
    parser.add_argument("--box", type=Path, action="append", default=[])
    parser.add_argument("--out", type=Path)
    options = parser.parse_args(arguments)
    rows = own_rows(options.labelled)
    for folder in options.box:
        rows += box_rows(folder)
    out = options.out or resource("judgement") / "weights.json"
    out.write_text(json.dumps(train(rows), indent=1, sort_keys=True) + "\n", encoding="utf-8")
    sys.stdout.write(f"{len(rows)} mails, written to {out}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
