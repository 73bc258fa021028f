"""Measures drafts without a model, their warnings, and Waiting on the labelled set: `python -m app.evals.replies FOLDER HALF`.

Reads `drafts-HALF.jsonl` and `sent-HALF.jsonl` of `tests/data/judgement`; its README explains the labels.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from app.agent.drafting.template_draft import OWN_REPLY, draft_without_model
from app.agent.retrieval import MiniLm
from app.agent.triage.classifier import text_of
from app.domain.drafting.draft import Draft
from app.domain.drafting.review import RedFlag
from app.domain.language.sent_mail import open_request, promises_in
from app.domain.mail.message import Account, Message, SystemLabel
from app.domain.mail.triage import Category, Decision, Triage
from app.domain.ports.agents import OwnReply
from app.domain.record import Record, replace
from app.evals.drafting import answer_to_all, warnings
from app.evals.judgement_mail import LabelledText, labelled_message, read_owners

NEEDS_ANSWER = Triage(Decision.RESPOND, Category.INQUIRY, 1.0, "", "labelled")


class DraftResult(Record):
    """A mail with the draft made for it. `wanted` and `used` are ids of earlier exchanges, empty for none."""

    name: str
    wanted: str
    used: str
    draft: Draft
    flags: tuple[RedFlag, ...]
    told_wrong: tuple[str, ...]

    @property
    def offered(self) -> bool:
        return self.draft.complete

    @property
    def right(self) -> bool:
        """Whether it may leave as it stands."""
        return self.used == self.wanted and not self.told_wrong


class WaitingResult(Record):
    """A sent mail: whether it waits, what was found, and the same for its promise. Days are ISO dates."""

    name: str
    waits: bool
    found: str
    promise: str
    promised: str
    due: str
    found_due: str


@dataclass
class Rates:
    """Shares by the names of `dev.py bench judgement`, with the counts they come from."""

    shares: dict[str, float] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)

    def put(self, name: str, part: int, whole: int) -> None:
        """Adds a share of counts. A share of nothing is 1 for precision and recall and 0 for warnings."""
        self.shares[name] = part / whole if whole else float(name.endswith(("precision", "recall", "complete_share")))
        self.counts[name] = whole


def read_drafts(folder: Path, half: str, embedder: MiniLm) -> list[DraftResult]:
    """Drafts every mail of `drafts-HALF.jsonl`."""
    accounts = read_owners(folder / "owners.json")
    return [_drafted(row, accounts[row["owner"]], embedder) for row in _rows(folder / f"drafts-{half}.jsonl")]


def read_sent(folder: Path, half: str) -> list[WaitingResult]:
    """Reads every mail of `sent-HALF.jsonl`."""
    accounts = read_owners(folder / "owners.json")
    return [_waiting(row, accounts[row["owner"]]) for row in _rows(folder / f"sent-{half}.jsonl")]


def rates(drafts: Sequence[DraftResult], sent: Sequence[WaitingResult]) -> Rates:
    """The shares over both lists. All drafts of the set answer their senders, so each of their warnings is false."""
    found = Rates()
    offered = [one for one in drafts if one.offered]
    flagged = [one for one in drafts if one.flags]
    found.put("draft_complete_share", sum(one.right for one in offered), len(offered))
    found.put("flags_per_draft", sum(len(one.flags) for one in drafts), len(drafts))
    found.put("flagged_share", len(flagged), len(drafts))
    found.put("false_flag_share", len(flagged), len(flagged))
    hits = sum(one.waits and bool(one.found) for one in sent)
    found.put("waiting_precision", hits, sum(bool(one.found) for one in sent))
    found.put("waiting_recall", hits, sum(one.waits for one in sent))
    return found


def _drafted(row: Mapping[str, Any], account: Account, embedder: MiniLm) -> DraftResult:
    message = _message(row["mail"], 1, SystemLabel.INBOX)
    (vector,) = embedder.embed([text_of(message)])
    replies = {one["id"]: _earlier(one, number, vector, embedder) for number, one in enumerate(row["earlier"], start=2)}
    nearest = sorted(replies.values(), key=lambda one: -one.similarity)
    draft, sources = draft_without_model(message, (message,), account, None, nearest, None, NEEDS_ANSWER)
    used = next((key for key, one in replies.items() if draft.maker == OWN_REPLY and one.answer.id == sources[0].message_id), "")
    gold = row["gold"]
    wrong = tuple(one for one in gold["must_not_give"] if draft.maker == OWN_REPLY and one.casefold() in draft.body.casefold())
    wanted = "" if gold["reuse"] == "none" else gold["reuse"]
    archive = [mail for one in nearest for mail in (one.question, one.answer)]
    flags = warnings(answer_to_all(draft, message, account), sources, message, account, archive)
    return DraftResult(row["id"], wanted, used, draft, flags, wrong)


def _earlier(row: Mapping[str, Any], number: int, vector: Sequence[float], embedder: MiniLm) -> OwnReply:
    question = _message(row["incoming"], 2 * number, SystemLabel.INBOX)
    answer = replace(_message(row["reply"], 2 * number + 1, SystemLabel.SENT), thread_id=question.thread_id)
    near = float(np.asarray(vector) @ np.asarray(embedder.embed([text_of(question)])[0]))
    return OwnReply(question, answer, near)


def _waiting(row: Mapping[str, Any], account: Account) -> WaitingResult:
    message = _message(row["mail"], 1, SystemLabel.SENT)
    people = [one for one in message.to if one.email.lower() != account.email.lower()]
    gold, found = row["gold"], promises_in(message.body_text, message.date)
    wanted = gold["promise"] or {"text": "", "due": None}
    promised = next(iter(found), None)
    return WaitingResult(
        name=row["id"],
        waits=bool(gold["waits"]),
        found=open_request(message.body_text, people, message.cc),
        promise=wanted["text"],
        promised=promised.text if promised else "",
        due=wanted["due"] or "",
        found_due=promised.due.isoformat() if promised and promised.due else "",
    )


def _message(mail: Mapping[str, Any], number: int, label: SystemLabel) -> Message:
    return labelled_message(msgspec.convert(mail, LabelledText), number, label)


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def report(drafts: Sequence[DraftResult], sent: Sequence[WaitingResult], show: bool) -> str:
    """The shares, and with `show` each mistake."""
    found = rates(drafts, sent)
    lines = [f"{name}: {share:.3f} of {found.counts[name]}" for name, share in found.shares.items()]
    reusable = [one for one in drafts if one.wanted]
    promised = [one for one in sent if one.promise and one.promised]
    lines.append(f"promises found: {len(promised)} of {sum(bool(one.promise) for one in sent)}, ")
    lines[-1] += f"with the right day: {sum(one.due == one.found_due for one in promised)}"
    lines.append(f"reusable replies found: {sum(one.used == one.wanted for one in reusable)} of {len(reusable)}")
    if show:
        lines += [
            f"{one.name}: used {one.used or 'none'}, wanted {one.wanted or 'none'} {one.told_wrong}"
            for one in drafts
            if not one.right
        ]
        lines += [f"{one.name}: {[(flag.kind, flag.about) for flag in one.flags]}" for one in drafts if one.flags]
        lines += [f"{one.name}: {one.found!r}, waits {one.waits}" for one in sent if bool(one.found) != one.waits]
        lines += [
            f"{one.name}: {one.promised!r}, wanted {one.promise!r}" for one in sent if bool(one.promise) != bool(one.promised)
        ]
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m app.evals.replies")
    parser.add_argument("folder", type=Path)
    parser.add_argument("half", choices=("tuning", "held"))
    parser.add_argument("--show", action="store_true", help="print each mistake")
    options = parser.parse_args(arguments)
    drafts, sent = read_drafts(options.folder, options.half, MiniLm.open()), read_sent(options.folder, options.half)
    sys.stdout.write(report(drafts, sent, options.show))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
