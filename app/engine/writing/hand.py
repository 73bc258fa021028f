"""Everything about mail written by hand in one bundle: the commands, the keeper of drafts, and what is done on the side."""

from collections.abc import Callable

from app.domain.ids import AccountId, OutboxId
from app.domain.writing import (
    AdoptDraft,
    AttachFile,
    CloseLetter,
    DeleteTemplate,
    DiscardLetter,
    DismissWaiting,
    DraftNudge,
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
from app.engine.announcer import Announcer
from app.engine.bell import Bell
from app.engine.connections import Connections
from app.engine.sending.sender import Sender
from app.engine.store_threads import StoreThreads
from app.engine.tables import Tables
from app.engine.writing.adopting import Adopting
from app.engine.writing.composing import Composing, Desk
from app.engine.writing.keeper import Keeper
from app.store.letter_drafts import LetterDrafts
from app.store.letters import Letters
from app.store.pages import Applied, SyncPage
from app.store.templates import Templates
from app.store.waiting import Waiting


class WritingHand:
    """Built once a house; `run` keeps drafts until cancelled."""

    def __init__(
        self,
        tables: Tables,
        threads: StoreThreads,
        announcer: Announcer,
        connections: Connections,
        sender: Sender,
        undo_s: Callable[[], float],
    ) -> None:
        bell, drafts = Bell(), LetterDrafts(tables.db, tables.clock)
        letters = Letters(tables.db, tables.clock)
        self._desk = Desk(tables, letters, threads, announcer, sender.steps, undo_s, sender.wake, bell.ring)
        self._composing = Composing(self._desk)
        self._keeper = Keeper(self._desk, drafts, connections, bell)
        self._adopting = Adopting(self._desk, drafts, connections, self._keeper)
        self._templates = Templates(tables.db, tables.clock)
        self._waiting = Waiting(tables.db, tables.clock)

    async def run(self) -> None:
        """Keep drafts in Gmail."""
        await self._keeper.run()

    def page(self, account_id: AccountId, page: SyncPage, applied: Applied) -> None:
        """Sync wrote a page."""
        self._keeper.page(account_id, page, applied)

    def moved(self) -> None:
        """Something left or was cancelled: a letter may be done."""
        self._desk.kept()

    async def take_back(self, outbox_id: OutboxId) -> bool:
        """Open the letter again that leaves under this item; False when the item is no letter's. Raises `Refused`."""
        return await self._composing.take_back(outbox_id)

    async def do(self, command: WritingCommand) -> None:
        """One command. Raises `ExpectedError`."""
        match command:
            case SaveLetter():
                await self._composing.save(command)
            case AttachFile():
                await self._composing.attach(command)
            case RemoveFile():
                await self._composing.remove_file(command)
            case RestoreFile():
                await self._composing.restore_file(command)
            case CloseLetter(letter_id):
                await self._desk.threads.run(self._desk.letters.close, letter_id)
            case SendLetter():
                await self._composing.send(command)
            case DiscardLetter(letter_id):
                await self._composing.discard(letter_id)
            case RestoreLetter(letter_id):
                await self._composing.restore(letter_id)
            case AdoptDraft():
                await self._adopting.adopt(command)
            case SettleDraft():
                await self._adopting.settle(command)
            case _:
                await self._do_beside(command)

    async def _do_beside(self, command: WritingCommand) -> None:
        """Templates and waiting."""
        run, tell = self._desk.threads.run, self._desk.announcer.tell
        match command:
            case SaveTemplate(template_id, name, subject, body):
                await run(self._templates.save, template_id, name, subject, body)
                tell(TemplatesChanged())
            case DeleteTemplate(template_id):
                await run(self._templates.delete, template_id)
                tell(TemplatesChanged())
            case RestoreTemplate(template_id):
                await run(self._templates.restore, template_id)
                tell(TemplatesChanged())
            case UseTemplate(template_id):
                await run(self._templates.count_use, template_id)
                tell(TemplatesChanged())
            case DismissWaiting(message_id, dismissed):
                await run(self._waiting.dismiss, message_id, dismissed)
                tell(WaitingChanged())
            case DraftNudge(message_id):
                from app.engine.writing.nudges import draft_nudge  # the agents' words, when the first one is asked for

                await draft_nudge(self._desk, message_id)
