"""Changes of letters by the user: saving, files, sending through the outbox, taking back, discarding.

The exact bytes are composed before the transaction that queues them. `contents` reads the files of an approved draft.
"""

import mimetypes
from datetime import datetime
from pathlib import Path
from uuid import uuid4

from app.domain.drafting.draft import Draft
from app.domain.error_texts import Cause
from app.domain.errors import NotAllowed, NotFound
from app.domain.ids import GmailId, GmailThreadId, LetterId, OutboxId, ThreadId
from app.domain.mail.files import ArtifactHandle
from app.domain.mail.letter import (
    MOST_FILE_BYTES,
    MOST_PICTURE_BYTES,
    FileContent,
    Letter,
    LetterKind,
    LetterState,
    RemoteDraftChange,
    forwarded_pictures,
    picture_type,
)
from app.domain.mail.message import Message, RemoteMessage, SystemLabel
from app.domain.mail.outbox import OutboxKind, due_time
from app.domain.protocol.events import OutboxChanged
from app.domain.protocol.letter_commands import (
    AttachFile,
    DiscardLetter,
    InsertPicture,
    LetterChanged,
    RemoveFile,
    RestoreFile,
    RestoreLetter,
    SaveLetter,
    SendLetter,
)
from app.domain.record import Record, replace
from app.engine.outbox.outbox_writer import OutboxWriter
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.settings_watcher import LiveSettings
from app.engine.runtime.tables import Tables
from app.engine.runtime.workers import WakeUp
from app.store.letters.letters import Letters, NewFile
from app.store.outbox import NewOutbox
from app.store.requests.artifacts import ArtifactFolder


def contents(draft: Draft, artifacts: ArtifactFolder) -> tuple[FileContent, ...]:
    """Reads the draft's files in order. Raises `NotAllowed` when one is gone or changed, or all are too large together."""
    if sum(one.size for one in draft.attachments) > MOST_FILE_BYTES:
        raise NotAllowed(Cause.FILES_TOO_LARGE)
    return tuple(FileContent(one.name, file_type(one.name), _content(one, artifacts)) for one in draft.attachments)


def file_type(name: str) -> str:
    """The MIME type by a file's name, `application/octet-stream` for an unknown or compressed type."""
    kind, encoding = mimetypes.guess_type(name)
    return "application/octet-stream" if kind is None or encoding else kind


def _content(one: ArtifactHandle, artifacts: ArtifactFolder) -> bytes:
    try:
        found, content = artifacts.read(one.id)
    except NotFound as error:
        raise NotAllowed(Cause.FILE_NOT_KEPT, one.name) from error
    except NotAllowed as error:
        raise NotAllowed(Cause.FILE_CHANGED, one.name) from error
    if (found.sha256, found.size) != (one.sha256, one.size):
        raise NotAllowed(Cause.FILE_NOT_PROPOSED, one.name)
    return content


class LetterContext(Record):
    """What letters work with. `kept` wakes the draft sync."""

    tables: Tables
    letters: Letters
    announcer: EventBus
    steps: OutboxWriter
    settings: LiveSettings
    kept: WakeUp


class LetterEditor:
    """Each method handles one command."""

    def __init__(self, context: LetterContext) -> None:
        self._context = context

    async def save(self, command: SaveLetter) -> None:
        """Saves the letter. A new forward gets the files of its message, a letter in place of others gets theirs.

        Raises `NotAllowed` or `NotFound`.
        """
        for letter_id in await self._context.tables.run(self._save, command.letter, command.revision):
            await self._tell(letter_id)

    async def attach(self, command: AttachFile | InsertPicture) -> None:
        """Copies a file or a picture of the text into the letter. Raises `NotAllowed` when it is unreadable or too large, or
        `NotFound`.
        """
        if isinstance(command, InsertPicture):
            file = picture_file(command.name, command.data)
        else:
            file = await self._context.tables.run(read_file, command.path)
        await self._context.tables.run(self._context.letters.attach, command.letter_id, (file,))
        await self._tell(command.letter_id)

    async def change(self, command: RemoveFile | RestoreFile | DiscardLetter | RestoreLetter) -> None:
        """Removes a file or the letter, or brings it back. Raises `NotAllowed` or `NotFound`."""
        run, letters = self._context.tables.run, self._context.letters
        match command:
            case RemoveFile(letter_id, file_id):
                await run(letters.remove_file, letter_id, file_id)
            case RestoreFile(letter_id, file_id):
                await run(letters.restore_file, letter_id, file_id)
            case DiscardLetter(letter_id):
                await run(letters.discard, letter_id)
            case RestoreLetter(letter_id):
                await run(letters.restore, letter_id)
        await self._tell(command.letter_id)

    async def send(self, command: SendLetter) -> None:
        """Queues the letter once. Raises `NotAllowed`, `OpenSlots` or `NotFound`; then it stays open and saved."""
        context = self._context
        outbox_id, due = await context.tables.run(self._leave, command)
        if command.archive:
            item = await context.tables.run(context.tables.outbox.get, outbox_id)
            await context.steps.archive(outbox_id, item.thread_id)
        await self._tell(command.letter.id, int(due.timestamp() * 1000))
        context.announcer.tell(OutboxChanged((outbox_id,)))
        context.steps.wake_sender()

    async def take_back(self, outbox_id: OutboxId) -> bool:
        """Reopens the letter of this outbox item. False if the item belongs to no letter. Raises `NotAllowed`."""
        context = self._context
        item = await context.tables.run(context.tables.outbox.get, outbox_id)
        tip = await context.tables.run(newest, context.tables, item.thread_id)  # it counts as seen when it is sent again
        letter_id = await context.tables.run(context.letters.take_back, outbox_id, tip)
        if letter_id is None:
            return False
        item = await context.tables.run(context.tables.outbox.get, outbox_id)
        await context.steps.sweep_cancelled(item)
        await context.steps.undo_archive(outbox_id)
        await self._tell(letter_id)
        context.announcer.tell(OutboxChanged((outbox_id,)))
        return True

    def _save(self, letter: Letter, revision: int) -> list[LetterId]:
        """Saves the letter. Returns the ids of all letters that changed."""
        tables, tip = self._context.tables, GmailId("")
        about = about_of(tables, letter)
        if letter.kind.answers and about is not None:
            tip = newest(tables, about.thread_id) or about.gmail_id
        new = self._context.letters.save(letter, revision, tip)
        if new and letter.kind is LetterKind.FORWARD and about is not None:
            self._context.letters.attach(letter.id, forwarded_files(about))
        known = (one for one in letter.instead_of if new and self._context.letters.known(one))
        return [*known, letter.id]

    def _leave(self, command: SendLetter) -> tuple[OutboxId, datetime]:
        context, letter = self._context, command.letter
        self._save(letter, command.revision)
        stored = context.letters.get(letter.id)
        due = due_time(context.tables.clock(), context.settings.now.sending.undo_s, command.send_at_ms)
        if stored.state is LetterState.LEAVING:
            return stored.outbox_id, context.tables.outbox.get(stored.outbox_id).not_before
        if stored.elsewhere is not RemoteDraftChange.NOTHING:
            raise NotAllowed(Cause.DRAFT_CHANGED)
        missing = [file.name for file in stored.files if not file.here]
        if missing:
            raise NotAllowed(Cause.FILE_BEING_FETCHED, missing[0])
        return context.letters.leave(letter, command.revision, self._item(letter, due)), due

    def _item(self, letter: Letter, due: datetime) -> NewOutbox:
        context = self._context
        quotes = letter.kind is LetterKind.FORWARD and letter.quoted and letter.about
        if quotes and about_of(context.tables, letter) is None:
            raise NotAllowed(Cause.FORWARDED_GONE)
        marker = f"<{uuid4()}@replyroom.invalid>"
        mime, threaded = composed(context, letter, marker, final=True)
        return NewOutbox(
            account_id=letter.account_id,
            kind=OutboxKind.SEND,
            thread_id=threaded.thread_id if threaded else ThreadId(0),
            gmail_thread_id=threaded.gmail_thread_id if threaded else GmailThreadId(""),
            to=", ".join(address.email for address in letter.recipients),
            subject=letter.subject,
            mime=mime,
            marker=marker,
            expected_tip=context.letters.seen_tip(letter.id) if threaded else GmailId(""),
            not_before=due,
        )

    async def _tell(self, letter_id: LetterId, undo_until_ms: int = 0) -> None:
        stored = await self._context.tables.run(self._context.letters.get, letter_id)
        event = LetterChanged(letter_id, stored.revision, stored.state, stored.outbox_id, undo_until_ms)
        self._context.announcer.tell(event)
        self._context.kept.ring()


def composed(context: LetterContext, letter: Letter, marker: str, *, final: bool) -> tuple[bytes, Message | None]:
    """The bytes of a letter, and the message it is about where it stays in that conversation. Blocks."""
    from app.mail.compose.letter import Envelope, compose_letter, keeps_thread  # slow to import, needed once a letter is written

    files = list(context.letters.files(letter.id))
    about = about_of(context.tables, letter)
    account, now = context.tables.accounts.get(letter.account_id), context.tables.clock().astimezone()
    mime = compose_letter(letter, files, Envelope(account, about, marker, now), final=final)
    return mime, about if about is not None and keeps_thread(letter, about) else None


def about_of(tables: Tables, letter: Letter) -> Message | None:
    """The message answered or forwarded, with clean HTML. None for none, or if it was deleted: the text is kept without it."""
    try:
        return tables.html_sources.shown((tables.messages.get(letter.about),))[0] if letter.about else None
    except NotFound:
        return None


def newest(tables: Tables, thread_id: ThreadId) -> GmailId:
    """The newest stored message of a conversation except drafts, empty if there is none."""
    mails = [one for one in tables.messages.thread(thread_id) if SystemLabel.DRAFT not in one.labels]
    return mails[-1].gmail_id if mails else GmailId("")


def files_of(message: Message | RemoteMessage) -> tuple[NewFile, ...]:
    """The files of a message, to be fetched. Pictures in its text are files as well."""
    files = message.attachments
    return tuple(NewFile(one.filename, one.mime_type, one.size, None, message.gmail_id, one.part_id) for one in files)


def forwarded_files(about: Message) -> tuple[NewFile, ...]:
    """The same for a forward, where the pictures stay in the text."""
    names = {one.part_id: name for one, name in forwarded_pictures(about)}
    return tuple(
        replace(file, name=names.get(file.source_part, file.name), inline=file.source_part in names) for file in files_of(about)
    )


def picture_file(name: str, data: bytes) -> NewFile:
    """A picture of the text. Raises `NotAllowed` when it is none or too large."""
    kind = picture_type(data)
    if not kind:
        raise NotAllowed(Cause.NOT_A_FILE, name)
    if len(data) > MOST_PICTURE_BYTES:
        raise NotAllowed(Cause.FILE_TOO_LARGE, name)
    return NewFile(name, kind, len(data), data, inline=True)


def read_file(path: Path) -> NewFile:
    """Reads a file from disk. Raises `NotAllowed`."""
    try:
        if not path.is_file():
            raise NotAllowed(Cause.NOT_A_FILE, path.name)
        if path.stat().st_size > MOST_FILE_BYTES:
            raise NotAllowed(Cause.FILE_TOO_LARGE, path.name)
        data = path.read_bytes()
    except OSError as error:
        raise NotAllowed(Cause.FILE_NOT_READ, path.name, error.strerror) from error
    return NewFile(path.name, file_type(path.name), len(data), data)
