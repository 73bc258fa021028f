"""An opened archive as parsed messages in order, for the engine's importer, and the export of files from it."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from app.domain.errors import NotFound
from app.domain.ids import GmailId
from app.domain.mail.files import SOURCE_PART
from app.domain.mail.message import Label, RemoteMessage
from app.domain.protocol.archive_commands import ArchivedMail, MailPlace
from app.domain.record import replace
from app.mail.archives.archive import UNPACKING, ArchiveBox, ArchiveEntry, PackedReader, boxes_of, mails_of
from app.mail.archives.filing import PREFIX, labels_of, thread_of
from app.mail.archives.mbox import LONGEST_MAIL, lines_at, mail_at
from app.mail.archives.resource import part_of, resource_of
from app.mail.parse import parse_message

SNIPPET = 200


@dataclass(slots=True)
class OpenedArchive:
    """The boxes of an archive; sizes in bytes. `unread` are its files that cannot be read; reading may add more."""

    boxes: list[ArchiveBox]
    unread: list[Path] = field(default_factory=list)
    total_bytes: int = field(init=False)

    def __post_init__(self) -> None:
        self.total_bytes = sum(box.size for box in self.boxes)

    def mails(self, box: int, start: int) -> Iterator[ArchivedMail]:
        """Yields the messages from that place on."""
        before = [0]
        for entry in self.boxes:
            before.append(before[-1] + entry.size)
        skip_single = start > 0 and box < len(self.boxes) and self.boxes[box].single
        for number, found in mails_of(self.boxes, self.unread, box + skip_single, 0 if skip_single else start):
            yield _archived(number, found, before[number])


def open_archive(path: Path) -> OpenedArchive:
    """Opens an archive. Raises `BadFile`."""
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
        names = labels_of(found.raw, found.box.flags, found.box.folder)
        labels = tuple(Label(name, name.removeprefix(PREFIX), "user") for name in names if name.startswith(PREFIX))
        digest = _digest(found.raw)
        message = _message(found.raw, digest, names)
        place = replace(place, gmail_id=message.gmail_id, digest=digest)
    return ArchivedMail(message, place, number, before + found.start + found.length, labels)


def _message(raw: bytes, digest: str, labels: list[str]) -> RemoteMessage:
    message = parse_message(resource_of(raw, digest, thread_of(raw, digest), labels))
    snippet = " ".join(message.body_text[: 4 * SNIPPET].split())[:SNIPPET]
    return replace(message, gmail_id=_content_id(message), snippet=snippet)


def _content_id(message: RemoteMessage) -> GmailId:
    """The same id for all copies of a message, whose headers differ by folder and program."""
    files = [(each.filename, each.size) for each in message.attachments]
    to = [each.email for each in message.to]
    content = (message.rfc822_id, message.date, message.subject, message.sender.email, to, files, message.body_text)
    return GmailId(hashlib.sha256(repr(content).encode("utf-8", "surrogatepass")).hexdigest()[:16])


def _digest(raw: bytes) -> str:
    """A digest without trailing line ends: the last message of a file has fewer than when another follows."""
    return hashlib.sha256(raw.rstrip(b"\r\n")).hexdigest()[:16]
