"""What the window asks of the engine about mail written by hand, text templates and sent mail that waits for an answer."""

from dataclasses import dataclass
from pathlib import Path

from app.domain.ids import LetterId, MessageId, OutboxId
from app.domain.mail.letter import Letter


@dataclass(frozen=True, slots=True)
class SaveLetter:
    """Keep a letter as it is typed. `revision` grows with every save; an older one than is kept changes nothing. The first
    save of a forward also takes the files of the mail that is forwarded, and that of a letter in place of others theirs."""

    letter: Letter
    revision: int


@dataclass(frozen=True, slots=True)
class AttachFile:
    """Copy a file's bytes into the letter, as they are now; one that is attached already, byte for byte, changes nothing."""

    letter_id: LetterId
    path: Path


@dataclass(frozen=True, slots=True)
class RemoveFile:
    """Take a file off the letter."""

    letter_id: LetterId
    file_id: int


@dataclass(frozen=True, slots=True)
class RestoreFile:
    """Undo that; until the letter is closed or leaves."""

    letter_id: LetterId
    file_id: int


@dataclass(frozen=True, slots=True)
class CloseLetter:
    """The letter is not on screen any more: files that were taken off it go for good."""

    letter_id: LetterId


@dataclass(frozen=True, slots=True)
class SendLetter:
    """Send a letter as it stands, once, after the undo delay or at `send_at_ms` (Unix time; 0 for as soon as may be)."""

    letter: Letter
    revision: int
    send_at_ms: int = 0


@dataclass(frozen=True, slots=True)
class DiscardLetter:
    """Throw a letter away, its draft in Gmail too."""

    letter_id: LetterId


@dataclass(frozen=True, slots=True)
class RestoreLetter:
    """Undo a discard."""

    letter_id: LetterId


@dataclass(frozen=True, slots=True)
class AdoptDraft:
    """Go on with a draft that was begun in another program: its message becomes the letter `letter_id`."""

    message_id: MessageId
    letter_id: LetterId


@dataclass(frozen=True, slots=True)
class SettleDraft:
    """Which version counts after the draft was changed elsewhere: the one in Gmail (`theirs`) or the one here."""

    letter_id: LetterId
    theirs: bool


@dataclass(frozen=True, slots=True)
class SaveTemplate:
    """Keep a text template; `template_id` 0 makes a new one."""

    template_id: int
    name: str
    subject: str
    body: str


@dataclass(frozen=True, slots=True)
class DeleteTemplate:
    """Offer a template no longer."""

    template_id: int


@dataclass(frozen=True, slots=True)
class RestoreTemplate:
    """Undo a deletion."""

    template_id: int


@dataclass(frozen=True, slots=True)
class UseTemplate:
    """Count that a template was put into a letter: the most used come first."""

    template_id: int


@dataclass(frozen=True, slots=True)
class DismissWaiting:
    """No answer to this sent mail is waited for any more, or again (`dismissed` False)."""

    message_id: MessageId
    dismissed: bool


@dataclass(frozen=True, slots=True)
class DraftNudge:
    """Put a friendly reminder of this sent mail into Review."""

    message_id: MessageId


WritingCommand = (
    SaveLetter
    | AttachFile
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


@dataclass(frozen=True, slots=True)
class LetterChanged:
    """A letter is kept at `revision` in `state`, its files or its draft in Gmail changed. `outbox_id` and `undo_until_ms` (Unix
    time) are set when it leaves; `reload` says that its words changed from outside."""

    letter_id: LetterId
    revision: int
    state: str
    outbox_id: OutboxId = OutboxId(0)
    undo_until_ms: int = 0
    reload: bool = False


@dataclass(frozen=True, slots=True)
class TemplatesChanged:
    """Read the text templates again."""


@dataclass(frozen=True, slots=True)
class WaitingChanged:
    """Read the mail that waits for an answer again."""


WritingEvent = LetterChanged | TemplatesChanged | WaitingChanged
