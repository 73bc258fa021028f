"""A friendly reminder of a sent mail that nobody answered, put into Review as a draft. Refuses to send anything."""

from app.agent.local.words import Language, language
from app.domain.draft import Draft
from app.domain.errors import NotFound, Refused
from app.domain.events import ReviewReady
from app.domain.ids import MessageId, RunId
from app.domain.mail import Message, SystemLabel
from app.domain.recipients import reply_recipients, reply_subject
from app.domain.review import Proposal, ReviewKind
from app.domain.templates import first_name
from app.domain.triage import Category, Decision
from app.engine.writing.composing import Desk

WORDS = {
    Language.EN: ("Hello", "I just wanted to ask whether you have had a chance to look at my mail below. Thank you."),
    Language.CS: ("Dobrý den", "dovoluji si připomenout svůj e-mail níže. Našel by se čas na odpověď? Děkuji."),
}


async def draft_nudge(desk: Desk, message_id: MessageId) -> None:
    """Open the review. Raises `Refused` when an answer came meanwhile, `NotFound`."""
    proposal = await desk.threads.run(_proposal, desk, message_id)
    review_id = await desk.threads.run(desk.tables.reviews.open, proposal, "nudge")
    desk.announcer.tell(ReviewReady(review_id, ReviewKind.REPLY))


def _proposal(desk: Desk, message_id: MessageId) -> Proposal:
    message = desk.tables.messages.get(message_id)
    thread = [one for one in desk.tables.messages.thread(message.thread_id) if SystemLabel.DRAFT not in one.labels]
    if not thread:
        raise NotFound("This conversation is gone from the mailbox.")
    if thread[-1].id != message_id:
        raise Refused("Somebody wrote in this conversation meanwhile.", "Look at it once more.")
    to, cc = reply_recipients(message, desk.tables.accounts.get(message.account_id), everybody=True)
    draft = Draft(to, cc, (), reply_subject(message.subject), nudge_words(message), "template", message_id)
    # One review a mail and day: asking twice gives the one that is there, a later reminder is a new one.
    run_id = RunId(f"nudge-{message_id}-{desk.tables.clock().date().isoformat()}")
    verdict = (Decision.RESPOND, Category.FOLLOW_UP, 1.0, "")
    return Proposal(
        message.account_id, run_id, message_id, message.thread_id, ReviewKind.REPLY, *verdict, "template", draft=draft
    )


def nudge_words(message: Message) -> str:
    """The reminder in the language of the mail, English where it is neither English nor Czech."""
    spoken = language(f"{message.subject}\n{message.body_text}")
    hello, words = WORDS.get(spoken, WORDS[Language.EN])
    name = first_name(message.to[0].name) if message.to and len(message.to) == 1 and spoken is not Language.CS else ""
    return f"{hello}{' ' + name if name else ''},\n\n{words}"
