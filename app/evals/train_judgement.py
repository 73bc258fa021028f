"""Trains the shipped weights of triage: `python -m app.evals.train_judgement LABELLED [--box DIR ...]`.

LABELLED is `tests/data/judgement`, of which only the tuning half is read. Other texts are the project's own examples in
`resources/seeds`, and with `--box` real mailboxes with labels of what was answered; they count little, have an
intercept of their own, and no sentence of them is kept. It writes
`resources/judgement/weights.json` and `wishes.json`. The same input gives the same weights. The shipped ones come from a run with
three mailboxes, farmer-d, kitchen-l and watson-k, in this order, four minutes of processor time, with another parser of mail,
which changes their third digit; those of phishing from an earlier one: since then signs are read a little differently, and with
the weights of a new run a test of threats fails.
"""

import argparse
import json
import math
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.agent.language.wishes import WishModel, pieces
from app.agent.triage.classifier import standing
from app.agent.triage.evidence import SEARCHED, MailEvidence, features, gather, wish_of
from app.agent.triage.linear_model import Matrix, fit
from app.agent.triage.threats import credit, may_be_phishing, phishing_features
from app.config.paths import resource
from app.domain.language.own_words import own_words
from app.domain.language.speech_acts import ASKING
from app.domain.mail.message import Message
from app.domain.mail.quotes import newest_part
from app.domain.mail.triage import Decision
from app.domain.record import Record, replace
from app.evals.judgement_mail import SEED_ACCOUNT, as_mail, load_seeds, read_labelled, read_mailbox, read_threats

STRENGTH = 3.0
SEED_WEIGHT = 0.2
NOTICE_WEIGHT = 0.4
BOX_WEIGHT = 600.0
"""Weight of a whole mailbox, as much as this many mails of the own set. Half is for its mail without any habits known."""

HONEST_WEIGHT = 1.5
BOX_HONEST_WEIGHT = 0.02
BOX_DOUBT_WEIGHT = 0.3
"""Weights of mail of a mailbox, which had passed a filter, and of that which has a lure and a doubt."""
THREAT_STRENGTH = 2.0
THREAT_BIAS = -5.5
THREAT_START = {
    "brand_name": 3.5, "brand_elsewhere": 2.0, "look_alike": 3.5, "name_twin": 3.5, "namesake": 2.5, "shows_other": 3.0,
    "padded_address": 1.8, "poses_as_provider": 2.5, "poses_as_own": 2.0, "service_domain": 1.8, "added_word": 1.2,
    "name_unfit": 0.8, "false_reply": 0.5, "not_authentic": 2.5, "unproven": 1.2, "reply_elsewhere": 2.0, "link_elsewhere": 3.0,
    "insecure_link": 1.0, "hosted_link": 1.5, "named_link": 1.5, "service_link": 2.6, "dangerous_file": 3.0,
    "asks_secrets": 2.8, "asks_sign_in": 1.6, "asks_data": 1.8, "threatens": 1.2, "new_account": 2.2, "pay_now": 2.2,
    "gift_card": 4.0, "extorts": 6.0, "call_back": 2.4, "posed_link": 0.8, "private_service": 1.5, "private_payee": 1.5,
    "favour": 5.5, "free_reply": 1.5, "foreign_account": 2.0, "pretext": 1.0, "salary": 0.5, "checkable": -1.0, "runs_code": 2.5,
    "strange_link": 0.2, "bait": 3.0, "relayed": 0.3, "advance_fee": 2.0, "secrecy": 1.8, "urgent": 1.6,
    "impersonal": 1.0, "repeated": 1.0, "fraud": 2.0, "own_domain": 1.5, "asks_who": 2.0, "proof": 1.5,
    "titled": 1.5, "errand": 3.0,
    "offer": -1.0, "own_links": -0.7, "fitting": -1.5, "bulk": -1.5, "long": -1.5, "sites": -1.0,
}  # fmt: skip
"""What each sign weighs before training, in log odds: few mails cannot tell all of them."""

FIXED = 1e6
"""Penalty of the weight of a sender's credit, which is not trained."""

CALIBRATION_STRENGTH = 5.0
DIGITS = 3
WISH_STRENGTH = 0.1
DIRECTIONS = 400
LEAST_WISH = 0.05
UNREAD_WEIGHT = 0.5
"""Weight of a mail whose requests are hidden: tables miss one in four in mail that nobody saw, and one in forty in this."""


class TrainingRow(Record):
    """Features of a mail, its decision (only respond or not for a mailbox), its origin and weight."""

    found: dict[str, float]
    decision: str
    origin: str
    weight: float
    threat: "ThreatRow | None" = None


def text_of(message: Message) -> str:
    return f"{message.subject}\n{newest_part(message.body_text)}"


class Wishes(Record):
    """The model of wishes, and for the mail of each owner one that did not see it."""

    shipped: WishModel
    without: dict[str, WishModel]

    def features(self, seen: MailEvidence, message: Message, owner: str = "") -> dict[str, float]:
        model = self.without.get(owner, self.shipped)
        return features(replace(seen, wish=wish_of(seen.asks, message.body_text[:SEARCHED], model)))


def train_wishes(folder: Path) -> Wishes:
    """Trains on `wishes-tuning.txt` and on sentences of the tuning half with their labels.

    Few sentences have many pieces: the fit is in the space of the `DIRECTIONS` in which the sentences differ most.
    """
    lines = (folder / "wishes-tuning.txt").read_text(encoding="utf-8").splitlines()
    told = [("", line[2:], line[0] == "+") for line in lines if line]
    for path in sorted(folder.glob("tuning-*.jsonl")):
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        told += [(row["owner"], *one) for row in rows if row["gold"]["decision"] != Decision.IGNORE for one in _wishes_in(row)]
    found = [pieces(sentence) for _owner, sentence, _wish in told]
    counts = Counter(one for some in found for one in some)
    place = {one: number for number, one in enumerate(sorted(one for one, count in counts.items() if count > 1))}
    table = np.zeros((len(told), len(place)))
    for row, some in zip(table, found, strict=True):
        row[[place[one] for one in some if one in place]] = 1.0 / math.sqrt(len(some))
    spread, turned = np.linalg.eigh(table @ table.T)
    spread, turned = np.sqrt(np.maximum(spread[-DIRECTIONS:], 1e-9)), turned[:, -DIRECTIONS:]
    back, table = table.T @ (turned / spread), turned * spread
    owners = np.asarray([owner for owner, _sentence, _wish in told])
    wanted = np.asarray([float(wish) for _owner, _sentence, wish in told])

    def fitted(used: NDArray[np.bool_]) -> WishModel:
        weights, bias = fit(table[used], wanted[used], np.ones(int(used.sum())), WISH_STRENGTH)
        by_piece = zip(place, np.round(back @ weights, 2).tolist(), strict=True)
        return WishModel({one: weight for one, weight in by_piece if abs(weight) >= LEAST_WISH}, round(bias, DIGITS))

    return Wishes(fitted(owners == owners), {one: fitted(owners != one) for one in sorted(set(owners) - {""})})


def _wishes_in(row: dict[str, Any]) -> list[tuple[str, bool]]:
    """The sentences of a labelled mail, and whether each asks for something."""
    asked = [one["sentence"] for one in row["gold"]["acts"] if one["kind"] in ASKING]
    return [(one, any(one in other or other in one for other in asked)) for one in own_words(row["mail"]["text"]).sentences]


def own_rows(folder: Path, wishes: Wishes) -> list[TrainingRow]:
    """The tuning half of the own set, and the seeds."""
    rows = []
    for one in read_labelled(folder, "tuning"):
        seen = gather(one.message, one.thread, one.account, one.contact, text_of(one.message))
        rows.append(TrainingRow(wishes.features(seen, one.message, one.origin), one.decision, one.origin, 1.0))
        if (unread := _unread(seen)) is not seen:
            found = wishes.features(unread, one.message, one.origin)
            rows.append(TrainingRow(found, one.decision, one.origin, UNREAD_WEIGHT))
    for one in read_threats(folder):
        if not one.phishing:
            seen = gather(one.message, one.thread, one.account, one.contact, text_of(one.message))
            rows.append(TrainingRow(wishes.features(seen, one.message), one.decision, "notices", NOTICE_WEIGHT))
    for seed in load_seeds():
        message, thread, contact = as_mail(seed)
        seen = gather(message, thread, SEED_ACCOUNT, contact, seed.text)
        rows.append(TrainingRow(wishes.features(seen, message), str(seed.decision), "seeds", SEED_WEIGHT))
    return rows


def _unread(seen: MailEvidence) -> MailEvidence:
    """The mail as one whose requests stand in no table of phrases, which were written with this mail in view."""
    asks = tuple(act for act in seen.asks if "?" in act.sentence)
    acts = tuple(act for act in seen.acts if act in asks or act not in seen.asks)
    return seen if asks == seen.asks else replace(seen, asks=asks, acts=acts)


def box_rows(folder: Path, wishes: Wishes) -> list[TrainingRow]:
    """The mail of a mailbox of which it is known whether it was answered."""
    box = read_mailbox(folder)
    told = [(one, thread, habits) for one, thread, habits in box.replay() if one.answered is not None]
    rows = []
    for one, thread, habits in told:
        for known in (habits, None):
            seen = gather(one.message, thread, box.account, None, text_of(one.message), known)
            decision = Decision.RESPOND if one.answered else ""
            weight = BOX_WEIGHT / (2 * len(told))
            honest = BOX_DOUBT_WEIGHT if may_be_phishing(seen.threats) else BOX_HONEST_WEIGHT
            threat = threat_row(seen, phishing=False, weight=honest) if known else None
            rows.append(TrainingRow(wishes.features(seen, one.message), decision, f"box {box.name}", weight, threat))
    return rows


class ThreatRow(Record):
    """Signs of threats in a mail, what speaks for its sender, and whether it is phishing."""

    found: dict[str, float]
    credit: float
    phishing: bool
    weight: float


def threat_row(seen: MailEvidence, phishing: bool, weight: float) -> ThreatRow:
    return ThreatRow(phishing_features(seen.threats), credit(seen.threats, standing(seen)), phishing, weight)


def threat_rows(folder: Path, boxes: Sequence[TrainingRow] = ()) -> list[ThreatRow]:
    """Mail of the tuning half and of `threats-tuning.jsonl`.

    Legitimate mail counts more: of what reaches an inbox it is much the most. `boxes` hold mail that had passed a filter.
    """
    rows = []
    for one in (*read_labelled(folder, "tuning"), *read_threats(folder)):
        seen = gather(one.message, one.thread, one.account, one.contact, text_of(one.message))
        rows.append(threat_row(seen, one.phishing, 1.0 if one.phishing else HONEST_WEIGHT))
    return rows + [one.threat for one in boxes if one.threat]


def train_phishing(rows: Sequence[ThreatRow]) -> dict[str, object]:
    names = sorted({name for one in rows for name in one.found} | THREAT_START.keys())
    start = np.asarray([*(THREAT_START.get(name, 0.0) for name in names), -1.0, THREAT_BIAS])
    table: Matrix = np.asarray([[*(one.found.get(name, 0.0) for name in names), one.credit] for one in rows])
    wanted, weight = np.asarray([float(one.phishing) for one in rows]), np.asarray([one.weight for one in rows])
    penalty = np.asarray([*[1.0] * len(names), FIXED])
    weights, bias = fit(table, wanted, weight, THREAT_STRENGTH, start, penalty)
    return _told(names, weights[: len(names)], bias)


def train(rows: Sequence[TrainingRow], threats: Sequence[ThreatRow]) -> dict[str, object]:
    names = sorted(rows[0].found)
    judged = [one for one in rows if one.decision]
    quiet = [one for one in rows if one.decision in (Decision.NOTIFY, Decision.IGNORE)]
    return {
        "examples": len(rows),
        "respond": _fit(rows, names, Decision.RESPOND),
        "ignore": _fit(quiet, names, Decision.IGNORE) if judged else {},
        "phishing": train_phishing(threats),
    }


def _fit(rows: Sequence[TrainingRow], names: Sequence[str], decision: Decision) -> dict[str, object]:
    """One model. Its scores become probabilities on each labelled owner's mail by a model that did not see this owner."""
    boxes = sorted({one.origin for one in rows if one.origin.startswith("box ")})
    table: Matrix = np.asarray(
        [[one.found[name] for name in names] + [float(one.origin == box) for box in boxes] for one in rows]
    )
    wanted = np.asarray([float(one.decision == decision) for one in rows])
    weight = np.asarray([one.weight for one in rows])
    penalty = np.asarray([1.0] * len(names) + [0.001] * len(boxes))

    def fitted(used: Matrix) -> tuple[Matrix, float]:
        weights, bias = fit(table[used], wanted[used], weight[used], STRENGTH, penalty=penalty)
        return weights[: len(names)], bias

    labelled = {one.origin for one in rows if one.weight == 1.0}
    origins = np.asarray([one.origin if one.origin in labelled else "" for one in rows])
    scores = np.zeros(len(rows))
    for owner in sorted(set(origins) - {""}):
        weights, bias = fitted(origins != owner)
        scores[origins == owner] = table[origins == owner][:, : len(names)] @ weights + bias
    own = origins != ""
    scale, shift = fit(scores[own][:, None], wanted[own], weight[own], CALIBRATION_STRENGTH, np.asarray([1.0, 0.0]))
    weights, bias = fitted(np.ones(len(rows), dtype=bool))
    return _told(names, weights * scale[0], bias * scale[0] + shift)


def _told(names: Sequence[str], weights: Matrix, bias: float) -> dict[str, object]:
    told = {
        name: round(float(value), DIGITS) for name, value in zip(names, weights, strict=True) if abs(value) >= 0.5 * 10**-DIGITS
    }
    return {"bias": round(bias, DIGITS), "weights": told}


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m app.evals.train_judgement")
    parser.add_argument("labelled", type=Path)
    parser.add_argument("--box", type=Path, action="append", default=[])
    parser.add_argument("--out", type=Path)
    options = parser.parse_args(arguments)
    wishes = train_wishes(options.labelled)
    rows = own_rows(options.labelled, wishes)
    for folder in options.box:
        rows += box_rows(folder, wishes)
    out = options.out or resource("judgement") / "weights.json"
    told = json.dumps({"bias": wishes.shipped.bias, "weights": wishes.shipped.weights}, ensure_ascii=False, indent=0)
    out.with_name("wishes.json").write_text(told + "\n", encoding="utf-8")
    out.write_text(
        json.dumps(train(rows, threat_rows(options.labelled, rows)), indent=1, sort_keys=True) + "\n", encoding="utf-8"
    )
    sys.stdout.write(f"{len(rows)} mails, written to {out}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
