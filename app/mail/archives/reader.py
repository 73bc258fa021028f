"""An opened archive as parsed messages in order, for the engine's importer, with their labels and threads.

Marks of Takeout, Maildir and mbox decide the labels. Old mail never gets into the inbox and is never unread. A name of Takeout
that means nothing in any of fifteen languages is a label of the owner.
"""

import csv
import hashlib
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from unicodedata import normalize

from app.config.paths import resource
from app.domain.errors import NotFound
from app.domain.ids import GmailId, GmailThreadId
from app.domain.mail.files import SOURCE_PART
from app.domain.mail.message import Label, RemoteMessage, SystemLabel
from app.domain.protocol.archive_commands import ArchivedMail, MailPlace
from app.domain.record import replace
from app.mail.archives.archive import UNPACKING, ArchiveBox, ArchiveEntry, PackedReader, boxes_of, mails_of
from app.mail.archives.mbox import LONGEST_MAIL, lines_at, mail_at
from app.mail.archives.resource import part_of, resource_of
from app.mail.parse import parse_message

NO_LABEL = ""
"""For names that only say where old mail was or whether it was read."""

_TABLE = tomllib.loads(resource("archive_labels.toml").read_text(encoding="utf-8"))
FOLDERS: dict[str, str] = _TABLE["folders"]
"""Folder names of other mail programs, as Gmail names them."""
_CATEGORY_WORDS = frozenset(_TABLE["categories"].pop("words"))
_CATEGORY = re.compile(r'(\w{1,20})(?: ?: ?| )"{0,2}([^":]{1,60})"{0,2}')
"""The word before a category's name, and the name."""


def _by_name(table: Mapping[str, Sequence[str]]) -> dict[str, str]:
    return {name: NO_LABEL if label == "NONE" else label for label, names in table.items() for name in names}


_LABEL_OF = _by_name(_TABLE["labels"])
_CATEGORY_OF = _by_name(_TABLE["categories"])


def _system_label(name: str) -> str | None:
    """Gmail's own label of this name, `NO_LABEL` for a place or state, None for any other name."""
    key = " ".join(normalize("NFC", name.casefold()).split())
    category = _CATEGORY.fullmatch(key)
    if category and category[1] in _CATEGORY_WORDS:
        return _CATEGORY_OF.get(category[2].strip())
    return _LABEL_OF.get(key)


PREFIX = "archive:"
"""Prefix of the ids of an archive's own labels."""


def labels_of(message: RemoteMessage, flags: str, folder: str) -> list[str]:
    """Returns label ids; those with `PREFIX` are the archive's own. The folder counts only if there are no Takeout labels."""
    named = _names(message.header("X-Gmail-Labels"))
    marks = flags + message.header("X-Status")
    found = {_label(name) for name in named or [FOLDERS.get(folder.casefold(), folder)]} - {NO_LABEL}
    found |= {SystemLabel.STARRED.value} if "F" in marks else set()
    found |= {SystemLabel.TRASH.value} if "T" in flags else set()
    found |= {SystemLabel.DRAFT.value} if "D" in flags else set()
    return sorted(found)


def thread_of(message: RemoteMessage, own: str) -> str:
    """Returns an id for the message's thread; `own` is the message's id."""
    named = (message.header("X-GM-THRID"), *message.references[:1], message.in_reply_to, message.rfc822_id, own)
    thread = next(filter(None, named))
    return hashlib.sha256(f"thread {thread}".encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _names(listed: str) -> list[str]:
    """Splits names at commas; a name that has a comma is quoted."""
    try:
        return [name.strip() for name in next(csv.reader([listed], skipinitialspace=True), [])]
    except csv.Error:
        return [name.strip() for name in listed.split(",")]


def _label(name: str) -> str:
    """Gmail's id of its own label; any other name becomes a label of the archive."""
    if (system := _system_label(name)) is not None:
        return system
    key = name.strip()
    if key.lower().startswith("category "):
        return f"CATEGORY_{key[9:].upper()}"
    return f"{PREFIX}{key[:200]}" if key else NO_LABEL


SNIPPET = 200


@dataclass(slots=True)
class OpenedArchive:
    """The boxes of an archive; sizes in bytes. `unread` are its files that cannot be read; reading may add more."""

    boxes: list[ArchiveBox]
    unread: list[Path]

    @property
    def total_bytes(self) -> int:
        return sum(box.size for box in self.boxes)

    def mails(self, box: int, start: int) -> Iterator[ArchivedMail]:
        """Yields the messages from that place on."""
        before = [0]
        for entry in self.boxes:
            before.append(before[-1] + entry.size)
        skip_single = start > 0 and box < len(self.boxes) and self.boxes[box].single
        for number, found in mails_of(self.boxes, self.unread, box + skip_single, 0 if skip_single else start):
            yield _archived(number, found, before[number])


def open_archive(path: Path) -> OpenedArchive:
    return OpenedArchive(*boxes_of(path))


def cut_out(place: MailPlace, part_id: str, target: Path) -> None:
    """Writes a part of an archived message, or its whole source.

    Raises `NotFound`, also if another message is in its place now.
    """
    name = Path(place.file).name
    try:
        with PackedReader() as packed_reader:
            with packed_reader.open(place.file) as stream:
                raw = mail_at(stream, place.start, place.length)
            if _digest(raw) != place.digest:
                raise NotFound(f"The archive {name} has changed since it was read.", "Import it again.")
            if part_id == SOURCE_PART:
                with packed_reader.open(place.file) as stream, target.open("wb") as file:
                    file.writelines(lines_at(stream, place.start, place.length))
                return
            if place.length > LONGEST_MAIL:
                raise NotFound("This mail is too large to take a file out of it.", "Save the whole mail instead.")
            data = part_of(raw, part_id)
            if data is None:
                raise NotFound("This mail has no such file.")
            target.write_bytes(data)
    except (OSError, *UNPACKING) as error:
        raise NotFound(f"The archive {name} is not where it was.", "Put it back, or import it again.") from error


def _archived(number: int, found: ArchiveEntry, before: int) -> ArchivedMail:
    message = None
    labels: tuple[Label, ...] = ()
    place = MailPlace(GmailId(""), found.box.name, found.start, found.length, "")
    if found.raw is not None:
        digest = _digest(found.raw)
        parsed = parse_message(resource_of(found.raw, digest, digest, []))
        names = labels_of(parsed, found.box.flags, found.box.folder)
        labels = tuple(Label(name, name.removeprefix(PREFIX), "user") for name in names if name.startswith(PREFIX))
        message = replace(
            parsed,
            gmail_id=_content_id(parsed),
            gmail_thread_id=GmailThreadId(thread_of(parsed, digest)),
            labels=frozenset(names),
            snippet=" ".join(parsed.body_text[: 4 * SNIPPET].split())[:SNIPPET],
        )
        place = replace(place, gmail_id=message.gmail_id, digest=digest)
    return ArchivedMail(message, place, number, before + found.start + found.length, labels)


def _content_id(message: RemoteMessage) -> GmailId:
    """The same id for all copies of a message, whose headers differ by folder and program."""
    files = [(each.filename, each.size) for each in message.attachments]
    to = [each.email for each in message.to]
    content = (message.rfc822_id, message.date, message.subject, message.sender.email, to, files, message.body_text)
    return GmailId(hashlib.sha256(repr(content).encode("utf-8", "surrogatepass")).hexdigest()[:16])


def _digest(raw: bytes) -> str:
    """A digest without trailing line ends: the last message of a file has fewer than when another follows."""
    return hashlib.sha256(raw.rstrip(b"\r\n")).hexdigest()[:16]
