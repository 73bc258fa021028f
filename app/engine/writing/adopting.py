"""Drafts of other programs: gone on with as letters, and the choice between two versions of one.

Words come with the simple styles that a letter has; pictures in the text become its files; what else a letter cannot hold is left
behind, and that is told. Refuses to take over what is no draft.
"""

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from app.domain.errors import DraftSimplified, ExpectedError, NotFound, Offline, Refused
from app.domain.events import Trouble
from app.domain.ids import GmailDraftId, GmailId, MessageId
from app.domain.letter import Elsewhere, Letter, LetterKind
from app.domain.mail import Message, RemoteMessage, SystemLabel
from app.domain.writing import AdoptDraft, SettleDraft
from app.engine.connections import Connections
from app.engine.loading import load
from app.engine.writing.composing import Desk, files_of, newest
from app.engine.writing.keeper import Keeper
from app.store.letter_drafts import DraftWork, LetterDrafts

if TYPE_CHECKING:
    from app.mail.markup.styled import Styled


class Adopting:
    """`AdoptDraft` and `SettleDraft`."""

    def __init__(self, desk: Desk, drafts: LetterDrafts, connections: Connections, keeper: Keeper) -> None:
        self._desk = desk
        self._drafts = drafts
        self._connections = connections
        self._keeper = keeper

    async def adopt(self, command: AdoptDraft) -> None:
        """Make a letter of the draft. Raises `NotFound`, `Refused`."""
        lost = await self._desk.threads.run(self._adopt, command)
        await self._keeper.tell(command.letter_id, reload=True)
        self._tell_of(lost)
        self._desk.kept()

    async def settle(self, command: SettleDraft) -> None:
        """Keep one of two versions. Raises `NotFound`, `Offline` while Gmail cannot be asked."""
        work = await self._desk.threads.run(self._drafts.work, command.letter_id)
        if work is None:
            raise NotFound("This letter is not kept any more.")
        if work.stored.elsewhere is Elsewhere.NOTHING:
            return  # the command came twice: what was typed since stands
        draft_id, gmail_id, theirs = await self._as_it_is(work, command.theirs)
        lost = False
        if theirs is None:
            await self._desk.threads.run(self._drafts.keep_ours, command.letter_id, draft_id, gmail_id)
        else:
            body, styles, lost = await load(partial(_words_of, theirs.body_html or theirs.html_source, theirs.body_text))
            letter = replace(
                work.stored.letter,
                to=theirs.to,
                cc=theirs.cc,
                bcc=theirs.bcc,
                subject=theirs.subject,
                body=body,
                styles=styles,
            )
            files = files_of(theirs, pictures=True)
            await self._desk.threads.run(self._drafts.take_theirs, letter, files, draft_id, gmail_id)
        await self._keeper.tell(command.letter_id, reload=theirs is not None)
        self._tell_of(lost)
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

    def _adopt(self, command: AdoptDraft) -> bool:
        """Whether some of its looks were left behind."""
        tables = self._desk.tables
        (message,) = tables.html_sources.shown((tables.messages.get(command.message_id),))
        if SystemLabel.DRAFT not in message.labels:
            raise Refused("This mail is no draft.")
        about = self._answered(message)
        body, styles, lost = _words_of(message.body_html, message.body_text)
        letter = Letter(
            id=command.letter_id,
            account_id=message.account_id,
            kind=LetterKind.DRAFT if about else LetterKind.NEW,
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
        tip = newest(self._desk.tables, message.thread_id) if about else GmailId("")
        if self._desk.letters.save(letter, 1, tip):
            files = files_of(message, pictures=True)
            if files:
                self._desk.letters.attach(letter.id, files)
            self._drafts.adopt(letter.id, message)
            return lost
        return False

    def _tell_of(self, lost: bool) -> None:
        if lost:
            error = DraftSimplified()
            self._desk.announcer.tell(Trouble(error.code, "", ""))

    def _answered(self, draft: Message) -> MessageId:
        """The mail that the draft answers: the one it names, else the newest of its conversation; 0 for none."""
        others = [one for one in self._desk.tables.messages.thread(draft.thread_id) if SystemLabel.DRAFT not in one.labels]
        named = next((one.id for one in others if one.rfc822_id and one.rfc822_id == draft.in_reply_to), None)
        return named or (others[-1].id if others else MessageId(0))


def _words_of(html: str, text: str) -> "Styled":
    """A draft's words with the styles that a letter has; of a draft without HTML its text."""
    from app.mail.markup.styled import Styled, styled_words  # HTML, when the first draft is gone on with

    return styled_words(html) if html.strip() else Styled(text, (), lost=False)
