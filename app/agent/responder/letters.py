"""Between the arguments of `send_email` and a draft: the user sees and edits the draft, the model knows the arguments.

Refuses, in words for the model, to answer a mail outside the thread. A reply's subject is the thread's.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from app.agent.deps import Deps
from app.agent.drafting.claims import unsupported
from app.agent.drafting.request import evidence_of
from app.agent.drafting.slots import with_slots
from app.agent.models.answers import NotFitting
from app.agent.state import MailState
from app.agent.turns import ToolCall
from app.domain.draft import Draft
from app.domain.mail import Account, Address, Message
from app.domain.recipients import own_addresses, reply_recipients, reply_subject


def answered_mail(call: ToolCall, thread: Sequence[Message]) -> Message:
    """The mail of the thread that the call answers. Raises `NotFitting`."""
    wanted = str(call.arguments["email_id"]).strip()
    found = next((one for one in thread if str(one.id) == wanted), None)
    if found is None:
        raise NotFitting(f"No mail of this thread has the email_id {wanted[:40]}. There are: {_listed(thread)}.")
    return found


def letter(call: ToolCall, thread: Sequence[Message], account: Account, maker: str) -> Draft:
    """The reply as a draft. An address of the owner's own stands for the mail's sender. Raises `NotFitting`."""
    mail = answered_mail(call, thread)
    known = {one.email.lower(): one for one in _people(thread)}
    address = str(call.arguments["email_address"])
    own = own_addresses(account)
    to = reply_recipients(mail, account, everybody=False)[0] if address.lower() in own else (_named(address, known),)
    taken = own | {one.email.lower() for one in to}
    more = dict.fromkeys(str(one) for one in call.arguments.get("additional_recipients", ()))
    cc = tuple(_named(one, known) for one in more if one.lower() not in taken)
    empty = Draft(to, cc, (), reply_subject(mail.subject), "", maker, mail.id)
    return with_slots(empty, str(call.arguments["response_text"]).strip())


def marked(draft: Draft, state: MailState, message: Message, deps: Deps) -> Draft:
    """The draft with marks on what stands in no source."""
    return replace(draft, spans=(*draft.spans, *unsupported(draft.body, evidence_of(state, message, deps))))


def same_letter(one: Draft, other: Draft) -> bool:
    """Whether two drafts say the same to the same people."""
    return (one.to, one.cc, one.bcc, one.subject, one.body) == (other.to, other.cc, other.bcc, other.subject, other.body)


def arguments_of(draft: Draft) -> dict[str, Any]:
    """The arguments with which the model would have written this draft."""
    first, *rest = [one.email for one in draft.recipients] or [""]
    more = {"additional_recipients": rest} if rest else {}
    return {"email_id": str(draft.reply_to), "response_text": draft.body, "email_address": first, **more}


def _named(address: str, known: dict[str, Address]) -> Address:
    """An address with the name the thread gives it."""
    return known.get(address.lower(), Address(address))


def _people(thread: Iterable[Message]) -> list[Address]:
    """Everybody on the thread."""
    return [one for mail in thread for one in (mail.sender, *mail.to, *mail.cc)]


def _listed(thread: Sequence[Message]) -> str:
    return ", ".join(str(one.id) for one in thread)
