"""Letters (mail written by hand) with their styles, files and states, and text templates. Pure functions.

`body` is plain text without the quoted original and without the signature, which composing adds. Styles are spans over the body
(offsets in characters), never characters in it. In a template `{{prompt}}` is a slot; `{{first name}}` is filled from the first
recipient if the name is known.
"""

import re
from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

from app.domain.ids import AccountId, LetterId, MessageId, OutboxId
from app.domain.mail.message import Address, Attachment, Message
from app.domain.record import Record

MOST_FILE_BYTES = 25 * 1024 * 1024
"""All files of a letter together, before encoding: the message then stays below Gmail's limit (36,700,160 bytes)."""

MOST_PICTURE_BYTES = 5 * 1024 * 1024
"""A larger picture is attached as a file."""


class LetterKind(StrEnum):
    """How the letter relates to its message; `draft` was begun in another program."""

    NEW = "new"
    REPLY = "reply"
    REPLY_ALL = "reply_all"
    FORWARD = "forward"
    DRAFT = "draft"

    @property
    def answers(self) -> bool:
        """Whether it joins the conversation of its message."""
        return self in (LetterKind.REPLY, LetterKind.REPLY_ALL, LetterKind.DRAFT)


class LetterState(StrEnum):
    """`open` is being written, `leaving` is in the outbox and may come back.

    `sent` and `discarded` letters are kept for a while.
    """

    OPEN = "open"
    LEAVING = "leaving"
    SENT = "sent"
    DISCARDED = "discarded"


class RemoteDraftChange(StrEnum):
    """What another program did to the draft in Gmail."""

    NOTHING = ""
    EDITED = "edited"
    DELETED = "deleted"


class StyleKind(StrEnum):
    """The kinds of styles.

    `bullet` and `numbered` cover whole lines. `slot` and `picture` have no width; their value is a prompt or the name of a file.
    """

    BOLD = "bold"
    ITALIC = "italic"
    LINK = "link"
    BULLET = "bullet"
    NUMBERED = "numbered"
    SLOT = "slot"
    PICTURE = "picture"


class Style(Record):
    """`start` and `end` in characters of the body.

    `value` is a link's address, a slot's prompt or the name of a picture's file.
    """

    start: int
    end: int
    kind: StyleKind
    value: str = ""


class Letter(Record):
    """What the user writes.

    `sender` is one of the account's addresses, empty for the usual one. `about` is the message answered or forwarded, or 0;
    `quoted` puts it below; `signed` adds the signature. `instead_of` are letters of other accounts that a new one replaces: its
    first save takes over their files and discards them; it is not kept after that. `remind_at_ms` is when the conversation
    returns to the inbox if nobody answered, in Unix milliseconds; 0 for never.
    """

    id: LetterId
    account_id: AccountId
    kind: LetterKind
    sender: str = ""
    to: tuple[Address, ...] = ()
    cc: tuple[Address, ...] = ()
    bcc: tuple[Address, ...] = ()
    subject: str = ""
    body: str = ""
    styles: tuple[Style, ...] = ()
    about: MessageId = MessageId(0)
    quoted: bool = True
    signed: bool = True
    instead_of: tuple[LetterId, ...] = ()
    remind_at_ms: int = 0

    @property
    def recipients(self) -> tuple[Address, ...]:
        """To, Cc and Bcc together."""
        return self.to + self.cc + self.bcc

    @property
    def open_slots(self) -> tuple[str, ...]:
        """The prompts of the open slots, in order."""
        return tuple(style.value for style in self.styles if style.kind is StyleKind.SLOT)

    @property
    def blank(self) -> bool:
        """Whether nothing was written yet. A reply starts with recipients and subject, so these do not count for it."""
        headed = self.kind is LetterKind.NEW and bool(self.subject.strip() or self.recipients)
        return not (self.body.strip() or self.styles or headed)


class LetterFile(Record):
    """A file of a letter; `here` is False until a file of another message was fetched.

    `size` is in bytes. A picture that belongs into the text is `inline`.
    """

    id: int
    name: str
    mime_type: str
    size: int
    here: bool = True
    inline: bool = False


class FileContent(Record):
    name: str
    mime_type: str
    data: bytes
    inline: bool = False


class StoredLetter(Record):
    """A letter in the store.

    `revision` counts the window's saves. `in_gmail`: the draft in Gmail is up to date. `outbox_id` is set while it is being sent.
    """

    letter: Letter
    revision: int
    state: LetterState
    files: tuple[LetterFile, ...]
    updated_at: datetime
    in_gmail: bool = False
    elsewhere: RemoteDraftChange = RemoteDraftChange.NOTHING
    outbox_id: OutboxId = OutboxId(0)

    @property
    def empty(self) -> bool:
        """Whether it has no text and no files. Then it may be discarded without asking."""
        return self.letter.blank and all(one.inline for one in self.files)


_UNSAFE = re.compile(r"[^A-Za-z0-9._-]")
PICTURE_TYPES = ((b"\x89PNG\r\n\x1a\n", "image/png"), (b"\xff\xd8\xff", "image/jpeg"), (b"GIF8", "image/gif"))
"""Types of pictures that every mail program shows, by their first bytes."""


def picture_id(name: str) -> str:
    """The Content-ID of a picture in a text, without angle brackets."""
    return f"{_UNSAFE.sub('_', name)}@replyroom.invalid"


def forwarded_pictures(about: Message) -> tuple[tuple[Attachment, str], ...]:
    """The pictures in the text of a forwarded message, each with the name of its file in the letter. No two are the same."""
    found: dict[str, Attachment] = {}
    for one in about.pictures:
        name = one.filename or "picture"
        found[f"{one.part_id}-{name}" if name in found else name] = one
    return tuple((one, name) for name, one in found.items())


def picture_type(data: bytes) -> str:
    """The MIME type by the first bytes, empty for anything but a picture."""
    return next((kind for begin, kind in PICTURE_TYPES if data.startswith(begin)), "")


def forward_subject(subject: str) -> str:
    """The subject of a forwarded message, with a single `Fwd:` in front."""
    rest = subject.strip()
    while rest[:4].lower() == "fwd:" or rest[:3].lower() == "fw:":
        rest = rest.partition(":")[2].strip()
    return f"Fwd: {rest}".strip()


PLACE = re.compile(r"\{\{\s*([^{}\n]{1,80}?)\s*\}\}")


class TextTemplate(Record):
    """`uses` counts how often it was put into a letter; `subject` may be empty."""

    id: int
    name: str
    subject: str
    body: str
    uses: int = 0


def filled(body: str, known: Mapping[str, str]) -> tuple[str, tuple[Style, ...]]:
    """Fills the places of a template. `known` has values by prompt in lower case; every other place becomes a slot."""
    text, slots, at = "", [], 0
    for found in PLACE.finditer(body):
        text += body[at : found.start()]
        at = found.end()
        value = known.get(found.group(1).lower(), "")
        if not value:
            slots.append(Style(len(text), len(text), StyleKind.SLOT, found.group(1)))
        text += value
    return text + body[at:], tuple(slots)


def first_name(name: str) -> str:
    """The first name of a person. Of `Ana Nováková` the first word, of `Nováková, Ana` the one after the comma."""
    family, comma, given = name.partition(",")
    words = (given if comma else family).split()
    return words[0] if words and words[0][:1].isalpha() and "@" not in name else ""
