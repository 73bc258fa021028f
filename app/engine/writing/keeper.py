"""Keeps each letter's draft in Gmail: written a few seconds after the last key, deleted when the letter leaves or is discarded.

A draft that was changed by another program is noticed before it is written over. Refuses to delete or overwrite one then.
"""

import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from app.domain.errors import ExpectedError, FileGone, NotFound, Refused
from app.domain.events import Trouble
from app.domain.ids import AccountId, GmailDraftId, GmailId, GmailThreadId, LetterId
from app.domain.letter import Elsewhere, FileContent, LetterState
from app.domain.mail import SystemLabel
from app.domain.outbox import HoldReason, OutboxState
from app.domain.ports.gmail import MailServer, RemoteDraft
from app.domain.writing import LetterChanged
from app.engine.bell import Bell
from app.engine.connections import Connections
from app.engine.sending.freshness import carries
from app.engine.writing.composing import Desk
from app.store.letter_drafts import DraftWork, LetterDrafts
from app.store.pages import Applied, SyncPage

log = logging.getLogger(__name__)

IDLE_S = 4.0
"""A letter left alone that long is written to Gmail."""
LOOK_S = 30.0
AGAIN_S = 15.0


@dataclass(frozen=True, slots=True)
class Written:
    """The bytes of a draft and the conversation it belongs to."""

    mime: bytes
    thread_id: GmailThreadId


class Keeper:
    """Runs until cancelled. `idle_s` is how long a letter has to be left alone."""

    def __init__(self, desk: Desk, drafts: LetterDrafts, connections: Connections, bell: Bell, idle_s: float = IDLE_S) -> None:
        self._desk = desk
        self._drafts = drafts
        self._connections = connections
        self._bell = bell
        self._idle = timedelta(seconds=idle_s)
        self._gone: set[GmailId] = set()
        self._broken: set[LetterId] = set()
        self._came = False
        connections.listen(bell.ring)

    async def run(self) -> None:
        """Keep drafts for ever."""
        while True:
            troubled = await self._round()
            await self._bell.wait(AGAIN_S if troubled else await self._pause_s())

    def page(self, _account_id: AccountId, page: SyncPage, _applied: Applied) -> None:
        """Sync saw messages vanish, or drafts come: one may be a draft of ours, edited or deleted elsewhere."""
        self._gone.update(page.delete)
        self._came |= any(SystemLabel.DRAFT in one.labels for one in page.messages)
        if page.delete or self._came:
            self._bell.ring()

    async def _round(self) -> bool:
        """Everything that is due; whether something failed and has to wait."""
        run = self._desk.threads.run
        for letter_id in await run(self._drafts.settle):
            await self.tell(letter_id)
        troubled = False
        for letter_id in await run(self._drafts.waiting_for_files):
            troubled |= await self._tried(letter_id, self._fetch_files)
        for work in await self._suspects():
            troubled |= await self._tried(work.stored.letter.id, self._look)
        for work in await run(self._drafts.to_write, self._desk.tables.clock() - self._idle):
            troubled |= await self._tried(work.stored.letter.id, self._write)
        for work in await run(self._drafts.to_delete):
            troubled |= await self._tried(work.stored.letter.id, self._delete)
        return troubled

    async def _suspects(self) -> list[DraftWork]:
        """Drafts that sync says something about."""
        gone, came = self._gone, self._came
        self._gone, self._came = set(), False
        found = list(await self._desk.threads.run(self._drafts.with_drafts, gone)) if gone else []
        return found + (list(await self._desk.threads.run(self._drafts.not_mirrored)) if came else [])

    async def _pause_s(self) -> float:
        changed = await self._desk.threads.run(self._drafts.next_write)
        if changed is None:
            return LOOK_S
        due = (changed + self._idle - self._desk.tables.clock()).total_seconds()
        return min(max(due, 0.2), LOOK_S)

    async def _tried(self, letter_id: LetterId, step: Callable[[MailServer, DraftWork], Awaitable[None]]) -> bool:
        """One step for one letter; whether it failed. What a letter needs is read afresh. A letter that breaks a step (a fault of
        ours, told once) keeps no other from being kept."""
        work = await self._desk.threads.run(self._drafts.work, letter_id)
        server = self._connections.server(work.stored.letter.account_id) if work else None
        if work is None or server is None:
            return False
        try:
            await step(server, work)
        except ExpectedError as error:
            log.info("the draft of a letter waits: %s", error.code)
            return True
        except Exception as error:
            log.exception("the draft of letter %s cannot be kept", letter_id)
            if letter_id not in self._broken:
                self._broken.add(letter_id)
                self._desk.announcer.tell(Trouble("bug", f"draft of a letter: {type(error).__name__}", "", bug=True))
            return True
        return False

    async def _fetch_files(self, server: MailServer, work: DraftWork) -> None:
        """Files of another mail; one that is gone leaves the letter, and the user is told."""
        for wanted in await self._desk.threads.run(self._drafts.wanted_files, work.stored.letter.id):
            try:
                data: bytes | None = await server.attachment(wanted.gmail_id, wanted.part_id)
            except NotFound:
                data = None
                log.info("a file of letter %s is gone with its mail %s", work.stored.letter.id, wanted.gmail_id)
                name = next((one.name for one in work.stored.files if one.id == wanted.file_id), "")
                self._desk.announcer.tell(Trouble(FileGone.code, name, ""))
            await self._desk.threads.run(self._drafts.fetched, wanted.file_id, data)
        await self.tell(work.stored.letter.id)

    async def _write(self, server: MailServer, work: DraftWork) -> None:
        """Write the letter over its draft, or into a new one."""
        run, letter_id = self._desk.threads.run, work.stored.letter.id
        if not all(file.here for file in work.stored.files):
            return
        work = await self._known(server, work)
        if work.draft_id and not await self._untouched(server, work):
            return
        written = await run(self._compose, work)
        if work.draft_id:
            remote = await server.update_draft(work.draft_id, written.mime, written.thread_id)
        else:
            await run(self._drafts.doubtful, letter_id)
            remote = await server.create_draft(written.mime, written.thread_id)
        await run(self._drafts.written, letter_id, work.changes, remote.draft_id, remote.message_gmail_id)
        await self.tell(letter_id)

    async def _look(self, server: MailServer, work: DraftWork) -> None:
        await self._untouched(server, await self._known(server, work))

    async def _delete(self, server: MailServer, work: DraftWork) -> None:
        """The letter left or was thrown away: its draft goes, unless somebody changed it: it is theirs then, and a mail that has
        not begun to leave is held."""
        work = await self._known(server, work)
        what = await changed(server, work) if work.draft_id else Elsewhere.DELETED
        if what is Elsewhere.NOTHING or (what is Elsewhere.EDITED and await written_here(server, work)):
            await server.delete_draft(work.draft_id)
        elif work.draft_id and work.stored.state is LetterState.LEAVING:
            await self._held(work, what)
        await self._desk.threads.run(self._drafts.found, work.stored.letter.id, GmailDraftId(""), GmailId(""))

    async def _held(self, work: DraftWork, what: Elsewhere) -> None:
        """Hold the mail while it has not begun to leave."""
        item = await self._desk.threads.run(self._desk.tables.outbox.get, work.stored.outbox_id)
        reason = HoldReason.DRAFT_EDITED if what is Elsewhere.EDITED else HoldReason.DRAFT_DELETED
        if item.state is OutboxState.QUEUED:
            with suppress(Refused):  # the sender was quicker
                await self._desk.steps.hold(item, reason)

    async def _known(self, server: MailServer, work: DraftWork) -> DraftWork:
        """With the draft's id, looked for where it is in doubt."""
        if not work.look_for:
            return work
        found = await server.find_drafts(work.look_for)
        first = found[0] if found else RemoteDraft(GmailDraftId(""), GmailId(""), GmailThreadId(""))
        run, letter_id = self._desk.threads.run, work.stored.letter.id
        last_seen = work.draft_gmail_id if first.draft_id and work.draft_gmail_id else first.message_gmail_id
        await run(self._drafts.found, letter_id, first.draft_id, last_seen)
        return await run(self._drafts.work, letter_id) or work

    async def _untouched(self, server: MailServer, work: DraftWork) -> bool:
        """Whether the draft is as we left it; if not, the user is told."""
        what = await changed(server, work) if work.draft_id else Elsewhere.DELETED
        if what is Elsewhere.NOTHING:
            return True
        await self._desk.threads.run(self._drafts.changed_elsewhere, work.stored.letter.id, what)
        await self.tell(work.stored.letter.id)
        return False

    def _compose(self, work: DraftWork) -> Written:
        from app.mail.letters import Envelope, compose_letter, keeps_thread  # when the first one is kept

        desk, letter = self._desk, work.stored.letter
        try:
            about = desk.tables.messages.get(letter.about) if letter.about else None
        except NotFound:
            about = None  # the words are kept even if the mail they answer is gone
        files = [FileContent(one.name, one.mime_type, one.data or b"") for one in desk.letters.files(letter.id)]
        account, now = desk.tables.accounts.get(letter.account_id), desk.tables.clock().astimezone()
        mime = compose_letter(letter, files, Envelope(account, about, work.marker, now), final=False)
        threaded = about is not None and keeps_thread(letter, about)
        return Written(mime, about.gmail_thread_id if about is not None and threaded else GmailThreadId(""))

    async def tell(self, letter_id: LetterId, reload: bool = False) -> None:
        """The letter moved."""
        stored = await self._desk.threads.run(self._desk.letters.get, letter_id)
        self._desk.announcer.tell(LetterChanged(letter_id, stored.revision, stored.state, stored.outbox_id, reload=reload))


async def changed(server: MailServer, work: DraftWork) -> Elsewhere:
    """What became of a draft since it was last written."""
    try:
        remote = await server.get_draft(work.draft_id)
    except NotFound:
        return Elsewhere.DELETED
    return Elsewhere.NOTHING if remote.message_gmail_id == work.draft_gmail_id else Elsewhere.EDITED


async def written_here(server: MailServer, work: DraftWork) -> bool:
    """Whether a draft that looks changed says what we wrote ourselves, with an answer that was lost."""
    try:
        remote = await server.get_draft(work.draft_id)
        thread = await server.thread_state(remote.gmail_thread_id)
    except NotFound:
        return False
    return any(one.gmail_id == remote.message_gmail_id and carries(one, work.marker) for one in thread)
