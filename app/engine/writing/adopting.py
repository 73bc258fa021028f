"""Drafts of other programs: gone on with as letters, and the choice between two versions of one.

What of a draft a letter cannot hold in its words, pictures in the text, becomes its files. Refuses to take over what is no draft.
"""

from dataclasses import replace

from app.domain.errors import ExpectedError, NotFound, Offline, Refused
from app.domain.ids import GmailDraftId, GmailId, MessageId
from app.domain.letter import Elsewhere, Letter, LetterKind
from app.domain.mail import Message, RemoteMessage, SystemLabel
from app.domain.writing import AdoptDraft, SettleDraft
from app.engine.connections import Connections
from app.engine.writing.composing import Desk, files_of, newest
from app.engine.writing.keeper import Keeper
from app.store.letter_drafts import DraftWork, LetterDrafts


class Adopting:
    """`AdoptDraft` and `SettleDraft`."""

    def __init__(self, desk: Desk, drafts: LetterDrafts, connections: Connections, keeper: Keeper) -> None:
        self._desk = desk
        self._drafts = drafts
        self._connections = connections
        self._keeper = keeper

    async def adopt(self, command: AdoptDraft) -> None:
        """Make a letter of the draft. Raises `NotFound`, `Refused`."""
        await self._desk.threads.run(self._adopt, command)
        await self._keeper.tell(command.letter_id, reload=True)
        self._desk.kept()

    async def settle(self, command: SettleDraft) -> None:
        """Keep one of two versions. Raises `NotFound`, `Offline` while Gmail cannot be asked."""
        work = await self._desk.threads.run(self._drafts.work, command.letter_id)
        if work is None:
            raise NotFound("This letter is not kept any more.")
        if work.stored.elsewhere is Elsewhere.NOTHING:
            return  # the command came twice: what was typed since stands
        draft_id, gmail_id, theirs = await self._as_it_is(work, command.theirs)
        if theirs is None:
            await self._desk.threads.run(self._drafts.keep_ours, command.letter_id, draft_id, gmail_id)
        else:
            letter = replace(
                work.stored.letter,
                to=theirs.to,
                cc=theirs.cc,
                bcc=theirs.bcc,
                subject=theirs.subject,
                body=theirs.body_text,
                styles=(),
            )
            files = files_of(theirs, pictures=True)
            await self._desk.threads.run(self._drafts.take_theirs, letter, files, draft_id, gmail_id)
        await self._keeper.tell(command.letter_id, reload=theirs is not None)
        self._desk.kept()

    async def _as_it_is(self, work: DraftWork, theirs: bool) -> tuple[GmailDraftId, GmailId, RemoteMessage | None]:
        """The draft's ids now, both empty when it is gone, and its message where that is wanted."""
        server = self._connections.server(work.stored.letter.account_id)
        if server is None:
            raise Offline("Gmail cannot be asked now.", "Choose again when you are online.")
        try:
            remote = await server.get_draft(work.draft_id) if work.draft_id else None
        except NotFound:
            remote = None
        if remote is None:
            return GmailDraftId(""), GmailId(""), None
        if not theirs:
            return remote.draft_id, remote.message_gmail_id, None
        (fetched,) = await server.fetch_messages((remote.message_gmail_id,))
        if fetched.message is None:
            raise ExpectedError(fetched.detail, "Try again.")
        return remote.draft_id, remote.message_gmail_id, fetched.message

    def _adopt(self, command: AdoptDraft) -> None:
        message = self._desk.tables.messages.get(command.message_id)
        if SystemLabel.DRAFT not in message.labels:
            raise Refused("This mail is no draft.")
        about = self._answered(message)
        letter = Letter(
            id=command.letter_id,
            account_id=message.account_id,
            kind=LetterKind.DRAFT if about else LetterKind.NEW,
            to=message.to,
            cc=message.cc,
            bcc=message.bcc,
            subject=message.subject,
            body=message.body_text,
            about=about,
            quoted=False,
            signed=False,
        )
        tip = newest(self._desk.tables, message.thread_id) if about else GmailId("")
        if self._desk.letters.save(letter, 1, tip):
            files = files_of(message, pictures=True)
            if files:
                self._desk.letters.attach(letter.id, files)
            self._drafts.adopt(letter.id, message)

    def _answered(self, draft: Message) -> MessageId:
        """The mail that the draft answers: the one it names, else the newest of its conversation; 0 for none."""
        others = [one for one in self._desk.tables.messages.thread(draft.thread_id) if SystemLabel.DRAFT not in one.labels]
        named = next((one.id for one in others if one.rfc822_id and one.rfc822_id == draft.in_reply_to), None)
        return named or (others[-1].id if others else MessageId(0))
