"""Measures drafting without a model on the sample mailbox: `python -m app.evals.drafting [--show] [--box DIR]`.

Counts right and wrong uses of the owner's own replies, and complete drafts. With `--box` it drafts answers to mail of a real
mailbox, which only a reader can judge: with `--show` each stands beside what the owner wrote.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from ruamel.yaml import YAML

from app.agent.drafting.template_draft import OWN_REPLY, draft_without_model
from app.agent.language.times import WorkingHours
from app.agent.retrieval import MiniLm
from app.agent.triage.classifier import LocalTriage, text_of
from app.config.paths import resource
from app.domain.drafting.draft import Draft, Source, SourceKind
from app.domain.drafting.review import RedFlag
from app.domain.ids import MessageId
from app.domain.mail.message import Account, Address, Message
from app.domain.mail.quotes import newest_part
from app.domain.mail.recipients import own_addresses, reply_recipients, reply_subject
from app.domain.mail.triage import Decision, Triage
from app.domain.policy.red_flags import FlagContext, readers, red_flags
from app.domain.ports.agents import OwnReply
from app.domain.record import Record, replace
from app.evals.judgement_mail import LabelledBox, read_mailbox
from app.evals.mail_files import SampleBox, read_sample


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
    around = FlagContext(
        account=account,
        thread=tuple(one for one in (*archive, message) if one.thread_id == message.thread_id),
        answered=message,
        written_to=written_to,
        known_domains=frozenset(person.rpartition("@")[2] for person in written_to),
        owner_words="\n".join([account.signature, *(by_id[one.message_id].body_text for one in _own(sources, by_id))]),
        sources=tuple(_whole(one, by_id) for one in sources),
        own_letters=lambda: [(readers(one) - own, newest_part(one.body_text)) for one in sent],
        circle=lambda source: _circle(source, by_id, archive),
    )
    return red_flags(draft, around)


def _own(sources: Sequence[Source], by_id: dict[MessageId, Message]) -> list[Source]:
    return [one for one in sources if one.kind is SourceKind.OWN_REPLY and one.message_id in by_id]


def _whole(source: Source, by_id: dict[MessageId, Message]) -> Source:
    """The source with the whole newest part of its mail."""
    mail = by_id.get(source.message_id)
    return source if mail is None else replace(source, excerpt=newest_part(mail.body_text))


def _circle(source: Source, by_id: dict[MessageId, Message], archive: Sequence[Message]) -> list[Address]:
    """Everybody on the conversation of a source."""
    mail = by_id.get(source.message_id)
    thread = [] if mail is None else [one for one in archive if one.thread_id == mail.thread_id]
    return [person for one in thread for person in (one.sender, *one.to, *one.cc)]


NEIGHBOURS = 5
Vectors = Mapping[MessageId, NDArray[np.float64]]


class DraftCase(Record):
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


class BoxDraft(Record):
    """A mail that the owner answered, the draft for it with its warnings, and what the owner wrote."""

    mail: Message
    draft: Draft
    flags: tuple[RedFlag, ...]
    written: Message


def draft_box(box: LabelledBox, embedder: MiniLm, most: int) -> list[BoxDraft]:
    """Drafts answers to mail of a mailbox's second half that wants one, from the answers of its first half."""
    answers = {one.message.in_reply_to: one.message for one in box.mails if one.message.outgoing and one.message.in_reply_to}
    received = [one for one in box.mails if one.answered is not None]
    split = received[len(received) // 2].message.date
    told = [(one.message, answers[one.message.rfc822_id]) for one in received if one.message.rfc822_id in answers]
    earlier = [pair for pair in told if pair[1].date < split]
    triage, threads = LocalTriage(), {one.message.id: thread for one, thread, _habits in box.replay()}
    wanted = []
    for mail, answer in (pair for pair in told if pair[0].date >= split):
        verdict = triage.judge(mail, threads[mail.id], box.account, (), None)
        if verdict.decision is Decision.RESPOND:
            wanted.append((mail, answer, verdict))
    wanted = wanted[:: max(1, len(wanted) // most)][:most]
    vectors = {mail.id: np.asarray(embedder.embed([text_of(mail)])[0]) for mail in _first(earlier, wanted)}
    drafted = []
    for mail, answer, verdict in wanted:
        replies = nearest_replies(mail, earlier, vectors)
        draft, sources = draft_without_model(mail, threads[mail.id], box.account, None, replies, None, verdict)
        around = [*threads[mail.id], *(one for pair in earlier for one in pair)]
        flags = warnings(answer_to_all(draft, mail, box.account), sources, mail, box.account, around)
        drafted.append(BoxDraft(mail, draft, flags, answer))
    return drafted


def _first(pairs: Sequence[tuple[Message, Message]], wanted: Sequence[tuple[Message, Message, Triage]]) -> list[Message]:
    return [*(pair[0] for pair in pairs), *(one[0] for one in wanted)]


def report(drafted: Sequence[DraftCase]) -> str:
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
    parser = argparse.ArgumentParser(prog="python -m app.evals.drafting")
    parser.add_argument("--show", action="store_true", help="print every draft")
    parser.add_argument("--box", type=Path, help="a real mailbox")
    options = parser.parse_args(arguments)
    if options.box:
        for made in draft_box(read_mailbox(options.box), MiniLm.open(), 20):
            asked, wrote = newest_part(made.mail.body_text)[:900], newest_part(made.written.body_text)[:400]
            text = f"{made.mail.subject}\n{asked}\n--- {shown(made.draft)}\n--- the owner wrote\n{wrote}\n"
            sys.stdout.write(f"=== complete {made.draft.complete}, warnings {len(made.flags)}: {text if options.show else ''}\n")
        return 0
    folder = resource("sample")
    expected = YAML(typ="safe", pure=True).load(folder / "expected.yaml")
    drafted = draft_sample(read_sample(folder, datetime.now(UTC)), expected, MiniLm.open())
    sys.stdout.write(report(drafted) + "\n")
    for one in drafted if options.show else ():
        sys.stdout.write(f"\n=== {one.file} {shown(one.draft)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
