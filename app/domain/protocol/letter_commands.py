"""Commands and events for letters, text templates and sent mail that waits for an answer."""

from enum import StrEnum
from pathlib import Path

from app.domain.ids import AccountId, LetterId, MessageId, OutboxId
from app.domain.mail.letter import Letter
from app.domain.wire import Answer, Command, Event, Query


class WritingWish(StrEnum):
    """What a model may do with a text that the owner writes."""

    WRITE = "write"
    SHORTER = "shorter"
    FRIENDLIER = "friendlier"
    TRANSLATE = "translate"


class HelpWriting(Query):
    """Asks the model for a text; answered by `WrittenText`.

    `instruction` is what to write, or the language to translate into. `about` is the message that the letter answers.
    """

    account_id: AccountId
    wish: WritingWish
    text: str
    instruction: str = ""
    about: MessageId | None = None


class WrittenText(Answer):
    """The text, with `[[...]]` where the owner has to fill in something."""

    body: str


class SaveLetter(Command):
    """Saves a letter as it is typed.

    `revision` grows with every save; an older one changes nothing. The first save of a forward also takes the files of the
    forwarded message, and that of a letter that replaces others takes theirs.
    """

    letter: Letter
    revision: int


class AttachFile(Command):
    """Copies a file into the letter. A file that is attached already, byte for byte, changes nothing."""

    letter_id: LetterId
    path: Path


class InsertPicture(Command):
    """Stores a picture of the letter's text under the name that its style has."""

    letter_id: LetterId
    name: str
    data: bytes


class RemoveFile(Command):
    letter_id: LetterId
    file_id: int


class RestoreFile(Command):
    """Undoes `RemoveFile`, until the letter is closed or sent."""

    letter_id: LetterId
    file_id: int


class CloseLetter(Command):
    """The letter is no longer on screen: files removed from it are deleted."""

    letter_id: LetterId


class SendLetter(Command):
    """Sends a letter once, after the undo delay or at `send_at_ms`.

    Unix time in milliseconds; 0 for as soon as possible. `archive` takes the conversation it answers out of the inbox.
    """

    letter: Letter
    revision: int
    send_at_ms: int = 0
    archive: bool = False


class DiscardLetter(Command):
    """Discards a letter and its draft in Gmail."""

    letter_id: LetterId


class RestoreLetter(Command):
    """Undoes `DiscardLetter`."""

    letter_id: LetterId


class AdoptDraft(Command):
    """Turns a draft begun in another program into the letter `letter_id`."""

    message_id: MessageId
    letter_id: LetterId


class SettleDraft(Command):
    """Chooses a version after the draft was changed elsewhere. The one in Gmail (`theirs`) or the one here."""

    letter_id: LetterId
    theirs: bool


class SaveTemplate(Command):
    """Saves a text template; `template_id` 0 makes a new one."""

    template_id: int
    name: str
    subject: str
    body: str


class DeleteTemplate(Command):
    template_id: int


class RestoreTemplate(Command):
    """Undoes `DeleteTemplate`."""

    template_id: int


class UseTemplate(Command):
    """Counts that a template was used; the most used are listed first."""

    template_id: int


class DismissWaiting(Command):
    """Stops waiting for an answer to this sent message; `dismissed` False resumes."""

    message_id: MessageId
    dismissed: bool


class DraftNudge(Command):
    """Puts a friendly reminder of this sent message into Review."""

    message_id: MessageId


WritingCommand = (
    SaveLetter
    | AttachFile
    | InsertPicture
    | RemoveFile
    | RestoreFile
    | CloseLetter
    | SendLetter
    | DiscardLetter
    | RestoreLetter
    | AdoptDraft
    | SettleDraft
    | SaveTemplate
    | DeleteTemplate
    | RestoreTemplate
    | UseTemplate
    | DismissWaiting
    | DraftNudge
)


class LetterChanged(Event):
    """A letter, its files or its draft in Gmail changed.

    `outbox_id` and `undo_until_ms` (Unix time) are set when it is sent. `reload`: its text changed from outside.
    """

    letter_id: LetterId
    revision: int
    state: str
    outbox_id: OutboxId = OutboxId(0)
    undo_until_ms: int = 0
    reload: bool = False


class TemplatesChanged(Event):
    """Text templates changed: read them again."""


class WaitingChanged(Event):
    """The mail that waits for an answer changed: read it again."""
