"""Measures drafts without a model, their warnings, and Waiting, on the labelled set and on real mailboxes.

Reads `drafts-HALF.jsonl` and `sent-HALF.jsonl` of `tests/data/judgement`; its README explains the labels.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from app.agent.drafting.template_draft import OWN_REPLY, draft_without_model
from app.agent.retrieval import MiniLm
from app.agent.triage.classifier import LocalTriage, text_of
from app.domain.drafting.draft import Draft, Source, SourceKind
from app.domain.drafting.review import RedFlag
from app.domain.ids import MessageId
from app.domain.language.sent_mail import open_request
from app.domain.mail.message import Account, Address, Message, SystemLabel
from app.domain.mail.quotes import newest_part
from app.domain.mail.recipients import own_addresses, reply_recipients, reply_subject
from app.domain.mail.triage import Category, Decision, Triage
from app.domain.policy.red_flags import FlagContext, readers, red_flags
from app.domain.ports.agents import OwnReply
from app.domain.record import Record, replace
from app.evals.judgement_mail import LabelledBox, LabelledText, labelled_message, read_owners

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


NEIGHBOURS = 5
Vectors = Mapping[MessageId, NDArray[np.float64]]


def answer_to_all(draft: Draft, message: Message, account: Account) -> Draft:
    """The draft with the recipients and the subject of an answer to all."""
    to, cc = reply_recipients(message, account, everybody=True)
    return replace(draft, to=to, cc=cc, subject=reply_subject(message.subject), reply_to=message.id)


def warnings(
    draft: Draft, sources: Sequence[Source], message: Message, account: Account, archive: Sequence[Message]
) -> tuple[RedFlag, ...]:
    """The warnings of a draft that answers `message`. `archive` is all mail before it, own and received."""
    own = own_addresses(account)
    sent = [one for one in archive if one.outgoing]
    written_to = frozenset(person for one in sent for person in readers(one)) | own
    by_id = {one.id: one for one in archive}

    def circle(source: Source) -> list[Address]:
        mail = by_id.get(source.message_id)
        thread = [] if mail is None else [one for one in archive if one.thread_id == mail.thread_id]
        return [person for one in thread for person in (one.sender, *one.to, *one.cc)]

    stored = [(one, by_id.get(one.message_id)) for one in sources]
    replies = [mail.body_text for one, mail in stored if one.kind is SourceKind.OWN_REPLY and mail is not None]
    around = FlagContext(
        account=account,
        thread=tuple(one for one in (*archive, message) if one.thread_id == message.thread_id),
        answered=message,
        written_to=written_to,
        known_domains=frozenset(person.rpartition("@")[2] for person in written_to),
        owner_words="\n".join([account.signature, *replies]),
        sources=tuple(one if mail is None else replace(one, excerpt=newest_part(mail.body_text)) for one, mail in stored),
        own_letters=lambda: [(readers(one) - own, newest_part(one.body_text)) for one in sent],
        circle=circle,
    )
    return red_flags(draft, around)


def nearest_replies(mail: Message, pairs: Sequence[tuple[Message, Message]], vectors: Vectors) -> tuple[OwnReply, ...]:
    """The own replies to the most similar questions of other conversations, most similar first."""
    found = [
        OwnReply(question, answer, float(vectors[mail.id] @ vectors[question.id]))
        for question, answer in pairs
        if question.thread_id != mail.thread_id and answer.date < mail.date
    ]
    return tuple(sorted(found, key=lambda one: -one.similarity)[:NEIGHBOURS])


def draft_box(box: LabelledBox, embedder: MiniLm, most: int) -> list[int]:
    """Drafts answers to mail of a mailbox's second half, from the answers of its first half. Returns each one's warnings."""
    answers = {one.message.in_reply_to: one.message for one in box.mails if one.message.outgoing and one.message.in_reply_to}
    received = [one for one in box.mails if one.answered is not None]
    split = received[len(received) // 2].message.date
    told = [(one.message, answers[one.message.rfc822_id]) for one in received if one.message.rfc822_id in answers]
    earlier = [pair for pair in told if pair[1].date < split]
    triage, threads = LocalTriage(), {one.message.id: thread for one, thread, _habits in box.replay()}
    later = [mail for mail, _answer in told if mail.date >= split]
    judged = [(mail, triage.judge(mail, threads[mail.id], box.account, (), None)) for mail in later]
    wanted = [(mail, verdict) for mail, verdict in judged if verdict.decision is Decision.RESPOND]
    wanted = wanted[:: max(1, len(wanted) // most)][:most]
    vectors = {mail.id: np.asarray(embedder.embed([text_of(mail)])[0]) for mail, _ in [*earlier, *wanted]}
    counts = []
    for mail, verdict in wanted:
        replies = nearest_replies(mail, earlier, vectors)
        draft, sources = draft_without_model(mail, threads[mail.id], box.account, None, replies, None, verdict)
        around = [*threads[mail.id], *(one for pair in earlier for one in pair)]
        counts.append(len(warnings(answer_to_all(draft, mail, box.account), sources, mail, box.account, around)))
    return counts
