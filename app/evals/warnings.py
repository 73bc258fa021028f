"""Computes the warnings of drafts for measurements, from mail in memory instead of the store."""

from collections.abc import Sequence
from dataclasses import replace

from app.domain.drafting.draft import Draft, Source, SourceKind
from app.domain.drafting.review import RedFlag
from app.domain.ids import MessageId
from app.domain.mail.message import Account, Address, Message
from app.domain.mail.quotes import newest_part
from app.domain.mail.recipients import own_addresses, reply_recipients, reply_subject
from app.domain.policy.red_flags import FlagContext, readers, red_flags


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
