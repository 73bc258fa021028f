"""Measures drafts without a model, their warnings, and Waiting on the labelled set.

Reads `drafts-HALF.jsonl` and `sent-HALF.jsonl` of `tests/data/judgement`; its README explains the labels.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from app.agent.drafting.template_draft import OWN_REPLY, draft_without_model
from app.agent.retrieval import MiniLm
from app.agent.triage.classifier import text_of
from app.domain.drafting.draft import Draft
from app.domain.drafting.review import RedFlag
from app.domain.language.sent_mail import open_request
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
    def right(self) -> bool:
        """Whether it may leave as it stands."""
        return self.used == self.wanted and not self.told_wrong


class WaitingResult(Record):
    """A sent mail: whether it waits, and what was found."""

    waits: bool
    found: str


def read_drafts(folder: Path, half: str, embedder: MiniLm) -> list[DraftResult]:
    return [_drafted(row, account, embedder) for row, account in _rows(folder, f"drafts-{half}.jsonl")]


def read_sent(folder: Path, half: str) -> list[WaitingResult]:
    return [_waiting(row, account) for row, account in _rows(folder, f"sent-{half}.jsonl")]


def rates(drafts: Sequence[DraftResult], sent: Sequence[WaitingResult]) -> dict[str, float]:
    """The shares over both lists. All drafts of the set answer their senders, so each of their warnings is false."""
    offered = [one for one in drafts if one.draft.complete]
    flagged = sum(bool(one.flags) for one in drafts)
    hits = sum(one.waits and bool(one.found) for one in sent)
    counts = {
        "draft_complete_share": (sum(one.right for one in offered), len(offered)),
        "flags_per_draft": (sum(len(one.flags) for one in drafts), len(drafts)),
        "flagged_share": (flagged, len(drafts)),
        "false_flag_share": (flagged, flagged),
        "waiting_precision": (hits, sum(bool(one.found) for one in sent)),
        "waiting_recall": (hits, sum(one.waits for one in sent)),
    }
    return {  # a share of nothing is 1 for what should be high and 0 for warnings
        name: part / whole if whole else float("flag" not in name) for name, (part, whole) in counts.items()
    }


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
    return WaitingResult(bool(row["gold"]["waits"]), open_request(message.body_text, people, message.cc))


def _message(mail: Mapping[str, Any], number: int, label: SystemLabel) -> Message:
    return labelled_message(msgspec.convert(mail, LabelledText), number, label)


def _rows(folder: Path, name: str) -> Iterator[tuple[dict[str, Any], Account]]:
    accounts = read_owners(folder / "owners.json")
    for line in (folder / name).read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield row, accounts[row["owner"]]
