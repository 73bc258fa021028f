"""Measures drafting without a model on the sample mailbox: `python -m app.evals.drafting [--show]`.

Counts right and wrong uses of the owner's own replies, and complete drafts.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray
from ruamel.yaml import YAML

from app.agent.drafting.template_draft import OWN_REPLY, draft_without_model
from app.agent.language.times import WorkingHours
from app.agent.retrieval import MiniLm
from app.agent.triage.classifier import LocalTriage, text_of
from app.config.paths import resource
from app.domain.drafting.draft import Draft
from app.domain.drafting.review import RedFlag
from app.domain.ids import MessageId
from app.domain.mail.message import Message
from app.domain.ports.agents import OwnReply
from app.evals.mail_files import SampleBox, read_sample
from app.evals.warnings import answer_to_all, warnings

NEIGHBOURS = 5
Vectors = Mapping[MessageId, NDArray[np.float64]]


@dataclass(frozen=True, slots=True)
class DraftCase:
    """A mail that wants an answer, with its draft.

    `wanted` is the file of the expected own reply or empty, `used` that of the one used. `flags` are the warnings of the draft as
    an answer to all.
    """

    file: str
    wanted: str
    draft: Draft
    used: str
    flags: tuple[RedFlag, ...] = ()

    @property
    def right(self) -> bool:
        """Whether the expected own reply was used."""
        return self.used == self.wanted


def answered(box: SampleBox) -> list[tuple[Message, Message]]:
    """Earlier questions with the owner's answer that followed in the conversation."""
    pairs = []
    for mail in box.mails.values():
        before = [one for one in box.thread(mail) if not one.outgoing and one.date < mail.date] if mail.outgoing else []
        if before:
            pairs.append((before[-1], mail))
    return pairs


def nearest_replies(mail: Message, pairs: Sequence[tuple[Message, Message]], vectors: Vectors) -> tuple[OwnReply, ...]:
    """The own replies to the most similar questions of other conversations, most similar first."""
    found = [
        OwnReply(question, answer, float(vectors[mail.id] @ vectors[question.id]))
        for question, answer in pairs
        if question.thread_id != mail.thread_id and answer.date < mail.date
    ]
    return tuple(sorted(found, key=lambda one: -one.similarity)[:NEIGHBOURS])


def draft_sample(box: SampleBox, expected: Sequence[Mapping[str, str]], embedder: MiniLm) -> list[DraftCase]:
    """Judges and drafts every mail that wants an answer."""
    triage = LocalTriage()
    vectors = {mail.id: np.asarray(embedder.embed([text_of(mail)])[0]) for mail in box.mails.values()}
    pairs = answered(box)
    name_of = {mail.id: name for name, mail in box.mails.items()}
    drafted = []
    for entry in (one for one in expected if one["decision"] == "respond"):
        mail = box.mails[entry["file"]]
        thread, contact = box.thread(mail), box.contact(mail)
        verdict = triage.judge(mail, thread, box.account, vectors[mail.id].tolist(), contact)
        replies = nearest_replies(mail, pairs, vectors)
        hours = WorkingHours(box.zone)
        draft, sources = draft_without_model(mail, thread, box.account, contact, replies, (), verdict, hours=hours)
        used = name_of[sources[0].message_id] if draft.maker == OWN_REPLY else ""
        wanted = entry.get("answer_from", "")
        before = [one for one in box.mails.values() if one.date < mail.date]
        flags = warnings(answer_to_all(draft, mail, box.account), sources, mail, box.account, before)
        drafted.append(DraftCase(entry["file"], wanted, draft, used, flags))
    return drafted


def report(drafted: Sequence[DraftCase]) -> str:
    """The counts as text."""
    wanted = [one for one in drafted if one.wanted]
    right = [one for one in wanted if one.right]
    lines = [
        f"{len(drafted)} mails want an answer, {len(wanted)} of them answered before",
        f"right own reply: {len(right)}, complete: {sum(one.draft.complete for one in right)}",
        f"drafts with a warning: {sum(bool(one.flags) for one in drafted)}",
        f"own reply where another or none was wanted: {sum(bool(one.used) and not one.right for one in drafted)}",
        *(f"  {one.file}: used {one.used or 'none'}, wanted {one.wanted or 'none'}" for one in drafted if not one.right),
    ]
    return "\n".join(lines)


def shown(draft: Draft) -> str:
    """A draft's body with its spans marked in the text."""
    body = draft.body
    for span in sorted(draft.spans, key=lambda one: -one.start):
        mark = f"[{span.note}]" if span.start == span.end else f"«{body[span.start : span.end]}»"
        body = body[: span.start] + mark + body[span.end :]
    return f"({draft.maker})\n{body}"


def main(arguments: Sequence[str]) -> int:
    """Prints the report."""
    parser = argparse.ArgumentParser(prog="python -m app.evals.drafting")
    parser.add_argument("--show", action="store_true", help="print every draft")
    options = parser.parse_args(arguments)
    folder = resource("sample")
    expected = YAML(typ="safe", pure=True).load(folder / "expected.yaml")
    drafted = draft_sample(read_sample(folder, datetime.now(UTC)), expected, MiniLm.open())
    sys.stdout.write(report(drafted) + "\n")
    for one in drafted if options.show else ():
        sys.stdout.write(f"\n=== {one.file} {shown(one.draft)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
