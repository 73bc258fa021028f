"""The demo's report: what happened, and whether the server has exactly what was approved. Written as JSON."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from app.demo.local_server import LocalServer, SentMail
from app.domain.drafting.draft import Draft
from app.domain.ids import ReviewId
from app.domain.mail.message import Message
from app.domain.record import Record
from app.store.maintenance.reporting import MailVerdict


class ApprovedReply(Record):
    """A reply that must be in the server's SENT. Holds the approved draft and the message it answers."""

    review_id: ReviewId
    draft: Draft
    original: Message
    edited: bool


@dataclass
class Report:
    """Filled during the demo. `problems` lists every difference between the server and what was approved."""

    mails: dict[str, int] = field(default_factory=dict)
    decisions: dict[str, int] = field(default_factory=dict)
    categories: dict[str, int] = field(default_factory=dict)
    reviews: dict[str, int] = field(default_factory=dict)
    drafts: dict[str, int] = field(default_factory=dict)
    actions: dict[str, int] = field(default_factory=dict)
    sent: list[dict[str, object]] = field(default_factory=list)
    learned: int = 0
    lessons: list[str] = field(default_factory=list)
    used_at_once: bool = False
    """Whether the next draft has the ending of the edited ones."""

    asked: dict[str, object] = field(default_factory=dict)
    """Result of a request for one mail by its subject: how many messages the answer cites, and whether that mail is one of
    them.
    """

    timings_s: dict[str, float] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    verdicts: list[dict[str, object]] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return not self.problems


def add_verdicts(report: Report, verdicts: Sequence[MailVerdict], wanted: int) -> None:
    """Counts decisions and reports mails without a verdict or a reason."""
    judged = [one for one in verdicts if one.decision]
    report.decisions = dict(Counter(one.decision for one in judged))
    report.categories = dict(Counter(one.category for one in judged))
    report.verdicts = [
        {
            "gmailId": one.gmail_id,
            "decision": one.decision,
            "category": one.category,
            "confidence": round(one.confidence, 3),
            "maker": one.maker,
            "reason": one.reason,
        }
        for one in judged
    ]
    if len(judged) < wanted:
        report.problems.append(f"{wanted} mails were to be triaged, {len(judged)} were")
    silent = [one.gmail_id for one in judged if not one.reason]
    if silent:
        report.problems.append(f"triaged without a reason: {silent}")


def compare_mirror(report: Report, server: LocalServer, verdicts: Sequence[MailVerdict]) -> None:
    """Reports differences between the server's messages and labels and the local copy."""
    there = {one.id: frozenset(one.label_ids) for one in server.dump()}
    here = {str(one.gmail_id): one.labels for one in verdicts}
    report.mails = {"server": len(there), "mirrored": len(here), "missing": len(there.keys() - here.keys())}
    if there.keys() != here.keys():
        lost, extra = sorted(there.keys() - here.keys()), sorted(here.keys() - there.keys())
        report.problems.append(f"the mirror differs: lost {lost[:9]}, too many {extra[:9]}")
    wrong = [one for one in there.keys() & here.keys() if there[one] != here[one]]
    if wrong:
        report.problems.append(f"labels differ on {sorted(wrong)[:9]}")


def compare_sent(report: Report, server: LocalServer, before: Sequence[SentMail], approved: Sequence[ApprovedReply]) -> None:
    """Checks that SENT has exactly the approved replies, in their threads."""
    known = {one.id for one in before}
    new = [one for one in server.sent() if one.id not in known]
    texts = {one.id: server.text_of(one.id) for one in new}
    unclaimed = list(new)
    for reply in approved:
        found = next((one for one in unclaimed if _is_reply(one, texts[one.id], reply)), None)
        if found is None:
            report.problems.append(f"the server has no sent mail for review {reply.review_id}")
            continue
        unclaimed.remove(found)
        report.sent.append(_entry(found, texts[found.id], reply))
    if unclaimed:
        report.problems.append(f"sent without approval: {[one.id for one in unclaimed]}")


def _is_reply(sent: SentMail, text: str, reply: ApprovedReply) -> bool:
    """Whether `sent` is this reply. It has the same thread and In-Reply-To, and begins with the approved text."""
    original = reply.original
    threaded = sent.thread_id == original.gmail_thread_id and (not original.rfc822_id or original.rfc822_id in sent.in_reply_to)
    return threaded and _flat(text).startswith(_flat(reply.draft.body))


def _entry(sent: SentMail, text: str, reply: ApprovedReply) -> dict[str, object]:
    return {
        "review": reply.review_id,
        "edited": reply.edited,
        "maker": reply.draft.maker,
        "id": sent.id,
        "threadId": sent.thread_id,
        "inReplyTo": sent.in_reply_to,
        "to": sent.to,
        "subject": sent.subject,
        "bodySha256": sent.text_sha256,
        "approvedBodySha256": hashlib.sha256(_flat(reply.draft.body).encode()).hexdigest(),
        "characters": len(text),
    }


def _flat(text: str) -> str:
    """The text with single spaces, because lines are wrapped on the way."""
    return " ".join(text.split())
