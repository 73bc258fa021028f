"""All commands about mail written by hand, and nudges: reminders of unanswered mail, put into Review as drafts."""

from collections.abc import Awaitable, Callable
from typing import get_args

from app.domain.drafting.draft import Draft
from app.domain.drafting.review import Proposal, ReviewKind
from app.domain.error_texts import Cause
from app.domain.errors import NotAllowed, NotFound
from app.domain.ids import MessageId, OutboxId, RunId
from app.domain.language.words import Language, language
from app.domain.mail.letter import first_name
from app.domain.mail.message import Message, SystemLabel
from app.domain.mail.recipients import reply_recipients, reply_subject
from app.domain.mail.triage import Category, Decision
from app.domain.protocol.commands import CancelSend
from app.domain.protocol.events import ReviewReady
from app.domain.protocol.letter_commands import (
    AdoptDraft,
    AttachFile,
    CloseLetter,
    DeleteTemplate,
    DiscardLetter,
    DismissWaiting,
    DraftNudge,
    InsertPicture,
    RemoveFile,
    RestoreFile,
    RestoreLetter,
    RestoreTemplate,
    SaveLetter,
    SaveTemplate,
    SendLetter,
    SettleDraft,
    TemplatesChanged,
    UseTemplate,
    WaitingChanged,
    WritingCommand,
)
from app.engine.accounts.connections import Connections
from app.engine.letters.draft_sync import DraftAdoption, DraftSync
from app.engine.letters.letter_editor import LetterContext, LetterEditor
from app.engine.outbox.outbox_writer import OutboxWriter
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.settings_watcher import LiveSettings
from app.engine.runtime.tables import Tables
from app.engine.runtime.workers import WakeUp
from app.store.letters.gmail_drafts import LetterDrafts
from app.store.letters.letters import Letters, Templates

WORDS = {
    Language.EN: ("Hello", "I just wanted to ask whether you have had a chance to look at my mail below. Thank you."),
    Language.DE: ("Guten Tag", "ich wollte nur fragen, ob Sie meine E-Mail unten schon lesen konnten. Vielen Dank."),
    Language.CS: ("Dobrý den", "dovoluji si připomenout svůj e-mail níže. Našel by se čas na odpověď? Děkuji."),
}


async def draft_nudge(context: LetterContext, message_id: MessageId) -> None:
    """Opens a review with a nudge. Raises `NotAllowed` when somebody wrote meanwhile, or `NotFound`."""
    proposal = await context.tables.run(_proposal, context, message_id)
    review_id = await context.tables.run(context.tables.reviews.open, proposal, "nudge")
    context.announcer.tell(ReviewReady(review_id, ReviewKind.REPLY))


def _proposal(context: LetterContext, message_id: MessageId) -> Proposal:
    message = context.tables.messages.get(message_id)
    thread = [one for one in context.tables.messages.thread(message.thread_id) if SystemLabel.DRAFT not in one.labels]
    if not thread:
        raise NotFound(Cause.CONVERSATION_GONE)
    if thread[-1].id != message_id:
        raise NotAllowed(Cause.CONVERSATION_CHANGED)
    to, cc = reply_recipients(message, context.tables.accounts.get(message.account_id), everybody=True)
    draft = Draft(to, cc, (), reply_subject(message.subject), nudge_words(message), "template", message_id)
    # One review per message and day: a second request gives the same one, a later nudge is a new one.
    run_id = RunId(f"nudge-{message_id}-{context.tables.clock().date().isoformat()}")
    verdict = (Decision.RESPOND, Category.FOLLOW_UP, 1.0, "")
    return Proposal(
        message.account_id, run_id, message_id, message.thread_id, ReviewKind.REPLY, *verdict, "template", draft=draft
    )


def nudge_words(message: Message) -> str:
    """The text of a nudge in the language of the mail; English where that is not known."""
    spoken = language(f"{message.subject}\n{message.body_text}")
    hello, words = WORDS.get(spoken, WORDS[Language.EN])
    by_name = len(message.to) == 1 and spoken not in {Language.CS, Language.DE}
    name = first_name(message.to[0].name) if by_name else ""
    return f"{hello}{' ' + name if name else ''},\n\n{words}"


class LetterService:
    """Handles letters, templates and waiting mail, and mail that is not to be sent after all.

    `cancel` is for mail that no letter was written for. `run` syncs drafts with Gmail until cancelled. `page` is to be called
    after sync wrote a page.
    """

    commands = (*get_args(WritingCommand), CancelSend)

    def __init__(
        self,
        tables: Tables,
        announcer: EventBus,
        connections: Connections,
        steps: OutboxWriter,
        cancel: Callable[[OutboxId], Awaitable[None]],
        settings: LiveSettings,
    ) -> None:
        wake_up, drafts = WakeUp(), LetterDrafts(tables.db, tables.clock)
        letters = Letters(tables.db, tables.clock)
        self._context = LetterContext(tables, letters, announcer, steps, settings, wake_up)
        self._cancel = cancel
        self._editor = LetterEditor(self._context)
        draft_sync = DraftSync(self._context, drafts, connections, wake_up, settings.now.sending.draft_after_s)
        self._adoption = DraftAdoption(self._context, drafts, connections, draft_sync)
        self._templates = Templates(tables.db, tables.clock)
        self.run, self.page = draft_sync.run, draft_sync.page

    def moved(self) -> None:
        """Closes letters whose outbox item was sent or cancelled."""
        self._context.kept.ring()

    async def do(self, command: WritingCommand | CancelSend) -> None:
        """Handles one command. Raises `ExpectedError`."""
        match command:
            case SaveLetter():
                await self._editor.save(command)
            case AttachFile() | InsertPicture():
                await self._editor.attach(command)
            case RemoveFile() | RestoreFile() | DiscardLetter() | RestoreLetter():
                await self._editor.change(command)
            case CloseLetter(letter_id):
                await self._context.tables.run(self._context.letters.close, letter_id)
            case CancelSend(outbox_id):
                if not await self._editor.take_back(outbox_id):
                    await self._cancel(outbox_id)
            case SendLetter():
                await self._editor.send(command)
            case _:
                await self._do_other(command)

    async def _do_other(self, command: WritingCommand) -> None:
        """Handles commands about Gmail drafts, templates and mail that waits for an answer."""
        run, tell = self._context.tables.run, self._context.announcer.tell
        match command:
            case AdoptDraft():
                await self._adoption.adopt(command)
            case SettleDraft():
                await self._adoption.settle(command)
            case SaveTemplate() | DeleteTemplate() | RestoreTemplate() | UseTemplate():
                await run(self._change_template, command)
                tell(TemplatesChanged())
            case DismissWaiting(message_id, dismissed):
                await run(self._context.tables.waiting.dismiss, message_id, dismissed)
                tell(WaitingChanged())
            case DraftNudge(message_id):
                await draft_nudge(self._context, message_id)

    def _change_template(self, command: SaveTemplate | DeleteTemplate | RestoreTemplate | UseTemplate) -> None:
        match command:
            case SaveTemplate(template_id, name, subject, body):
                self._templates.save(template_id, name, subject, body)
            case DeleteTemplate(template_id):
                self._templates.delete(template_id)
            case RestoreTemplate(template_id):
                self._templates.restore(template_id)
            case UseTemplate(template_id):
                self._templates.count_use(template_id)
