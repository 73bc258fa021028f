"""What is believed of an answer of the Gmail service: which mails it means, and words. All else is made anew from the store.

Refuses recipients, subjects, bodies and files that the agent here would not be allowed either, and claims that it sent something.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from app.agent.gmail.acting import searched_from, source_of
from app.agent.gmail.checking import Known, checked
from app.agent.gmail.outcome import GmailTask, MailProposal, Proposed, Searched
from app.agent.gmail.state import Document, SendArguments
from app.agent.gmail.tools import LONGEST_ANSWER
from app.agent.trouble import UnusableAnswer
from app.domain.draft import Source
from app.domain.errors import Refused
from app.domain.ids import MessageId
from app.domain.mail import Message

MOST_SOURCES = 20
LONGEST_MODEL = 120

Here = Callable[[int], Message | None]
"""The mail of the task's account that the service calls by this id, None where it is not here."""


def named(found: Searched | Proposed) -> tuple[int, ...]:
    """The ids of mails in an answer, as the service has them."""
    ids = [one.message_id for one in found.sources[:MOST_SOURCES]]
    return tuple(dict.fromkeys(one for one in (*ids, *([found.mail.reply_to] if isinstance(found, Proposed) else [])) if one))


def believed(found: Searched | Proposed, task: GmailTask, here: Here) -> Searched | Proposed:
    """The answer as far as it holds here. Raises `UnusableAnswer`."""
    mails = _mails(found.sources, here)
    if isinstance(found, Searched):
        if found.data.get("action") != "search":
            raise UnusableAnswer("The Gmail service says that it did something which it was not asked for.")
        return searched_from(mails, _text(found.answer)[:LONGEST_ANSWER])
    return Proposed(_mail(found.mail, task, here), tuple(map(source_of, mails)))


def _mails(sources: Sequence[Source], here: Here) -> list[Message]:
    ids = dict.fromkeys(one.message_id for one in sources[:MOST_SOURCES] if one.message_id)
    return [mail for one in ids if (mail := here(one)) is not None]


def _mail(mail: MailProposal, task: GmailTask, here: Here) -> MailProposal:
    answered = here(mail.reply_to) if mail.reply_to else None
    if mail.reply_to and answered is None:
        raise UnusableAnswer("The Gmail service answers a mail that is not here.")
    documents = tuple(Document(one.id, one.name, one.size) for one in task.documents)
    # Whether an address is known is flagged in Review; the service has read mail that nobody here has looked at.
    known = Known(documents, frozenset(), lambda _address: True)
    try:
        args = checked(_arguments(mail), known)
    except Refused:
        raise UnusableAnswer("The Gmail service proposed a mail that cannot be sent.") from None
    return _proposal(args, MessageId(answered.id if answered else 0), _text(mail.model)[:LONGEST_MODEL])


def _arguments(mail: MailProposal) -> Mapping[str, object]:
    return {name: getattr(mail, name) for name in ("to", "cc", "bcc", "subject", "body", "attachments")}


def _proposal(args: SendArguments, reply_to: MessageId, model: str) -> MailProposal:
    return MailProposal(args.to, args.subject, args.body, args.cc, args.bcc, args.attachments, reply_to, model)


def _text(words: str) -> str:
    """Without what shows nothing."""
    return "".join(one for one in words if one.isprintable() or one in "\n\t").strip()


def elsewhere(mail: MailProposal | None, message_id: int) -> MailProposal | None:
    """An earlier proposal as the service would name the mail it answers."""
    return None if mail is None else replace(mail, reply_to=MessageId(message_id))
