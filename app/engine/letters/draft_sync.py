"""Keeps each letter's draft in Gmail: written a few seconds after the last key, deleted when the letter is sent or discarded.

A draft is overwritten or deleted only after it was read and proved to be the letter's: it carries the letter's marker, or it is
the message that the user chose to continue. One that another program changed is left alone and reported. `DraftAdoption` turns
drafts of other programs into letters: text with the simple styles of a letter, pictures as files. Everything else is dropped, and
that is reported.
"""

import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from app.domain.error_texts import Cause, ErrorText
from app.domain.errors import DraftSimplified, ExpectedError, FileGone, NotAllowed, NotFound, Offline
from app.domain.ids import AccountId, GmailDraftId, GmailId, GmailThreadId, LetterId, MessageId
from app.domain.mail.letter import Letter, LetterKind, LetterState, RemoteDraftChange
from app.domain.mail.message import Message, RemoteMessage, SystemLabel
from app.domain.mail.outbox import HoldReason, OutboxState
from app.domain.mail.recipients import own_addresses
from app.domain.ports.gmail import MailServer, ReadDraft
from app.domain.protocol.events import ErrorReported
from app.domain.protocol.letter_commands import AdoptDraft, LetterChanged, SettleDraft
from app.domain.record import replace
from app.engine.accounts.connections import Connections
from app.engine.letters.letter_editor import LetterContext, composed, files_of, newest
from app.engine.runtime.background_imports import load
from app.engine.runtime.workers import WakeUp
from app.store.letters.gmail_drafts import DraftWork, LetterDrafts
from app.store.mail.sync_page import Applied, SyncPage

if TYPE_CHECKING:
    from app.mail.html.styled import StyledText

log = logging.getLogger(__name__)

LOOK_S = 30.0
AGAIN = 4
"""After a failure the next try waits this many times as long as a letter rests before it is written."""
NO_DRAFT = ReadDraft(GmailDraftId(""), GmailId(""), GmailThreadId(""))


class DraftSync:
    """Runs until cancelled. `idle_s` is how long a letter must be unchanged before it is written."""

    def __init__(
        self, context: LetterContext, drafts: LetterDrafts, connections: Connections, wake_up: WakeUp, idle_s: float
    ) -> None:
        self._context, self._drafts, self._connections, self._wake_up = context, drafts, connections, wake_up
        self._idle = timedelta(seconds=idle_s)
        self._deleted_ids: set[GmailId] = set()
        self._broken: set[LetterId] = set()
        self._drafts_came = False
        connections.listen(wake_up.ring)

    async def run(self) -> None:
        while True:
            wait_s = AGAIN * self._idle.total_seconds()
            if not await self._round():
                changed_at = await self._context.tables.run(self._drafts.next_write)
                due = LOOK_S if changed_at is None else (changed_at + self._idle - self._context.tables.clock()).total_seconds()
                wait_s = min(max(due, 0.2), LOOK_S)
            await self._wake_up.wait(wait_s)

    def page(self, _account_id: AccountId, page: SyncPage, _applied: Applied) -> None:
        """Notes deleted messages and new drafts of a sync page. One may be a letter's draft that was changed elsewhere."""
        self._deleted_ids.update(page.delete)
        self._drafts_came |= any(SystemLabel.DRAFT in one.labels for one in page.messages)
        if page.delete or self._drafts_came:
            self._wake_up.ring()

    async def _round(self) -> bool:
        """Does everything that is due. Returns whether something failed."""
        run = self._context.tables.run
        for letter_id in await run(self._drafts.settle):
            await self.tell(letter_id)
        failed = False
        for letter_id in await run(self._drafts.waiting_for_files):
            failed |= await self._tried(letter_id, self._fetch_files)
        gone, came = self._deleted_ids, self._drafts_came
        self._deleted_ids, self._drafts_came = set(), False
        changed_by_sync = [
            *(await run(self._drafts.with_drafts, gone) if gone else ()),
            *(await run(self._drafts.not_mirrored) if came else ()),
        ]
        for work in changed_by_sync:
            failed |= await self._tried(work.stored.letter.id, self._untouched)
        for work in await run(self._drafts.to_write, self._context.tables.clock() - self._idle):
            failed |= await self._tried(work.stored.letter.id, self._write)
        for work in await run(self._drafts.to_delete):
            failed |= await self._tried(work.stored.letter.id, self._delete)
        return failed

    async def _tried(self, letter_id: LetterId, step: Callable[[MailServer, DraftWork], Awaitable[object]]) -> bool:
        """Does one step for one letter with fresh data. Returns whether it failed.

        An unexpected error is reported once per letter and does not stop other letters.
        """
        work = await self._context.tables.run(self._drafts.work, letter_id)
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
                self._context.announcer.bug("draft of a letter", error)
            return True
        return False

    async def _fetch_files(self, server: MailServer, work: DraftWork) -> None:
        """Fetches files of another message. A file that is gone is removed from the letter, which is reported."""
        for wanted in await self._context.tables.run(self._drafts.wanted_files, work.stored.letter.id):
            try:
                data: bytes | None = await server.attachment(wanted.gmail_id, wanted.part_id)
            except NotFound:
                data = None
                log.info("a file of letter %s is gone with its mail %s", work.stored.letter.id, wanted.gmail_id)
                name = next((one.name for one in work.stored.files if one.id == wanted.file_id), "")
                self._context.announcer.tell(ErrorReported(FileGone.code, ErrorText.of(name)))
            await self._context.tables.run(self._drafts.fetched, wanted.file_id, data)
        await self.tell(work.stored.letter.id)

    async def _write(self, server: MailServer, work: DraftWork) -> None:
        """Writes the letter over its draft, or into a new one."""
        run, letter_id = self._context.tables.run, work.stored.letter.id
        if not all(file.here for file in work.stored.files):
            return
        work = await self._known(server, work)
        mime, threaded = await run(composed, self._context, work.stored.letter, work.marker, final=False)
        thread_id = threaded.gmail_thread_id if threaded is not None else GmailThreadId("")
        if work.draft_id and not await self._untouched(server, work):
            return
        if work.draft_id:
            remote = await server.update_draft(work.draft_id, mime, thread_id)
        else:
            await run(self._drafts.doubtful, letter_id)
            remote = await server.create_draft(mime, thread_id)
        await run(self._drafts.written, letter_id, work.changes, remote.draft_id, remote.message_gmail_id)
        await self.tell(letter_id)

    async def _delete(self, server: MailServer, work: DraftWork) -> None:
        """Deletes the draft of a letter that was sent or discarded.

        A draft that somebody changed stays theirs, and a mail that is not being sent yet is held.
        """
        work = await self._known(server, work)
        draft = await found_draft(server, work)
        what = changed(draft, work)
        ours = draft is not None and (what is RemoteDraftChange.NOTHING or draft.carries(work.marker))
        deleted = draft is not None and ours and await server.delete_draft(draft)
        if work.draft_id and not deleted and work.stored.state is LetterState.LEAVING:
            edited = ours or what is RemoteDraftChange.EDITED
            item = await self._context.tables.run(self._context.tables.outbox.get, work.stored.outbox_id)
            if item.state is OutboxState.QUEUED:
                with suppress(NotAllowed):  # the sender has it already
                    await self._context.steps.hold(item, HoldReason.DRAFT_EDITED if edited else HoldReason.DRAFT_DELETED)
        await self._context.tables.run(self._drafts.found, work.stored.letter.id, GmailDraftId(""), GmailId(""))

    async def _known(self, server: MailServer, work: DraftWork) -> DraftWork:
        """Returns the work with the draft's id, searching for the draft where it is unclear."""
        if not work.look_for:
            return work
        found = await server.find_drafts(work.look_for)
        first = next((one for one in found if one.message_gmail_id == work.draft_gmail_id), found[0] if found else NO_DRAFT)
        run, letter_id = self._context.tables.run, work.stored.letter.id
        last_seen = work.draft_gmail_id if first.draft_id and work.draft_gmail_id else first.message_gmail_id
        await run(self._drafts.found, letter_id, first.draft_id, last_seen)
        return await run(self._drafts.work, letter_id) or work

    async def _untouched(self, server: MailServer, work: DraftWork) -> bool:
        """Whether the draft is as last written. If not, this is reported."""
        work = await self._known(server, work)
        what = changed(await found_draft(server, work), work)
        if what is RemoteDraftChange.NOTHING:
            return True
        await self._context.tables.run(self._drafts.changed_elsewhere, work.stored.letter.id, what)
        await self.tell(work.stored.letter.id)
        return False

    async def tell(self, letter_id: LetterId, reload: bool = False) -> None:
        """Reports that the letter changed. With `reload` the window reads its text again."""
        stored = await self._context.tables.run(self._context.letters.get, letter_id)
        self._context.announcer.tell(LetterChanged(letter_id, stored.revision, stored.state, stored.outbox_id, reload=reload))


async def found_draft(server: MailServer, work: DraftWork) -> ReadDraft | None:
    """Reads the letter's draft, None if it is gone."""
    try:
        return await server.get_draft(work.draft_id) if work.draft_id else None
    except NotFound:
        return None


def changed(draft: ReadDraft | None, work: DraftWork) -> RemoteDraftChange:
    """How a draft changed since it was last written. An unchanged draft that is not the letter's counts as edited."""
    if draft is None:
        return RemoteDraftChange.DELETED
    ours = draft.carries(work.marker) or draft.message_gmail_id == work.chosen_gmail_id
    return RemoteDraftChange.NOTHING if ours and draft.message_gmail_id == work.draft_gmail_id else RemoteDraftChange.EDITED


class DraftAdoption:
    """Handles `AdoptDraft` and `SettleDraft`."""

    def __init__(self, context: LetterContext, drafts: LetterDrafts, connections: Connections, draft_sync: DraftSync) -> None:
        self._context, self._drafts = context, drafts
        self._connections, self._draft_sync = connections, draft_sync

    async def adopt(self, command: AdoptDraft) -> None:
        """Turns a Gmail draft into a letter. Raises `NotFound` or `NotAllowed`."""
        lost = await self._context.tables.run(self._adopt, command)
        await self._tell(command.letter_id, reload=True, lost=lost)

    async def settle(self, command: SettleDraft) -> None:
        """Keeps one of two versions of a draft. Raises `NotFound`, or `Offline` while Gmail cannot be asked."""
        work = await self._context.tables.run(self._drafts.work, command.letter_id)
        if work is None:
            raise NotFound(Cause.LETTER_GONE)
        if work.stored.elsewhere is RemoteDraftChange.NOTHING:
            return  # a repeated command: keep what was typed since
        draft_id, gmail_id, theirs = await self._as_it_is(work, command.theirs)
        lost = False
        if theirs is None:
            await self._context.tables.run(self._drafts.keep_ours, command.letter_id, draft_id, gmail_id)
        else:
            body, styles, lost = await load(partial(_words_of, theirs.body_html or theirs.html_source, theirs.body_text))
            letter = replace(
                work.stored.letter,
                sender=await self._context.tables.run(self._sender, work.stored.letter.account_id, theirs),
                to=theirs.to,
                cc=theirs.cc,
                bcc=theirs.bcc,
                subject=theirs.subject,
                body=body,
                styles=styles,
            )
            files = files_of(theirs)
            await self._context.tables.run(self._drafts.replace_with_gmail, letter, files, draft_id, gmail_id)
        await self._tell(command.letter_id, reload=theirs is not None, lost=lost)

    async def _tell(self, letter_id: LetterId, *, reload: bool, lost: bool) -> None:
        """Reports the change, and whether formatting was dropped. Wakes the sync."""
        await self._draft_sync.tell(letter_id, reload=reload)
        if lost:
            self._context.announcer.tell(ErrorReported(DraftSimplified.code))
        self._context.kept.ring()

    async def _as_it_is(self, work: DraftWork, theirs: bool) -> tuple[GmailDraftId, GmailId, RemoteMessage | None]:
        """The draft's current ids, both empty if it is gone, and its message if `theirs` is wanted."""
        server = self._connections.server(work.stored.letter.account_id)
        if server is None:
            raise Offline("Gmail cannot be asked now.", "Choose again when you are online.")
        remote = await found_draft(server, work)
        if remote is None:
            return GmailDraftId(""), GmailId(""), None
        if not theirs:
            return remote.draft_id, remote.message_gmail_id, None
        (fetched,) = await server.fetch_messages((remote.message_gmail_id,))
        if fetched.message is None:
            raise ExpectedError(fetched.detail, "Try again.")
        return remote.draft_id, remote.message_gmail_id, fetched.message

    def _adopt(self, command: AdoptDraft) -> bool:
        """Stores the letter. Returns whether some formatting was dropped."""
        tables = self._context.tables
        (message,) = tables.html_sources.shown((tables.messages.get(command.message_id),))
        if SystemLabel.DRAFT not in message.labels:
            raise NotAllowed(Cause.NO_DRAFT)
        # The message that the draft answers: the one it names, else the newest of its conversation.
        others = [one for one in tables.messages.thread(message.thread_id) if SystemLabel.DRAFT not in one.labels]
        named = next((one.id for one in others if one.rfc822_id and one.rfc822_id == message.in_reply_to), None)
        about = named or (others[-1].id if others else MessageId(0))
        body, styles, lost = _words_of(message.body_html, message.body_text)
        letter = Letter(
            id=command.letter_id,
            account_id=message.account_id,
            kind=LetterKind.DRAFT if about else LetterKind.NEW,
            sender=self._sender(message.account_id, message),
            to=message.to,
            cc=message.cc,
            bcc=message.bcc,
            subject=message.subject,
            body=body,
            styles=styles,
            about=about,
            quoted=False,
            signed=False,
        )
        tip = newest(self._context.tables, message.thread_id) if about else GmailId("")
        if self._context.letters.save(letter, 1, tip):
            files = files_of(message)
            if files:
                self._context.letters.attach(letter.id, files)
            self._drafts.adopt(letter.id, message)
            return lost
        return False

    def _sender(self, account_id: AccountId, draft: Message | RemoteMessage) -> str:
        """The address that the draft was to leave from, empty if it is none of the owner's."""
        chosen = draft.sender.email
        return chosen if chosen in own_addresses(self._context.tables.accounts.get(account_id)) else ""


def _words_of(html: str, text: str) -> "StyledText":
    """A draft's text with the styles that a letter has. A draft without HTML gives its plain text."""
    from app.mail.html.styled import StyledText, styled_words  # the HTML parser, needed once a draft is adopted

    return styled_words(html) if html.strip() else StyledText(text, (), lost=False)
