"""Measures drafting without a model on real mailboxes: how many warnings drafts carry."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from app.agent.drafting.template_draft import draft_without_model
from app.agent.retrieval import MiniLm
from app.agent.triage.classifier import LocalTriage, text_of
from app.domain.drafting.draft import Draft, Source, SourceKind
from app.domain.drafting.review import RedFlag
from app.domain.ids import MessageId
from app.domain.mail.message import Account, Address, Message
from app.domain.mail.quotes import newest_part
from app.domain.mail.recipients import own_addresses, reply_recipients, reply_subject
from app.domain.mail.triage import Decision
from app.domain.policy.red_flags import FlagContext, readers, red_flags
from app.domain.ports.agents import OwnReply
from app.domain.record import replace
from app.evals.judgement_mail import LabelledBox

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
