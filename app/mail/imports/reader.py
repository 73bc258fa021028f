"""An opened archive as parsed mails in order, for the engine's importer. Refuses to keep more than one mail in memory."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from app.domain.archives import ArchivedMail, MailPlace
from app.domain.errors import NotFound, Refused
from app.domain.ids import GmailId
from app.domain.mail import Label, RemoteMessage
from app.domain.mail_files import SOURCE_PART
from app.mail.imports.archive import UNPACKING, Box, Found, boxes_of, mails_of, read_mail
from app.mail.imports.filing import PREFIX, ids_of, labels_of
from app.mail.imports.mbox import LARGEST
from app.mail.imports.resource import part_of, resource_of
from app.mail.parse import parse_message

SNIPPET = 200


@dataclass(slots=True)
class OpenedArchive:
    """The boxes of an archive; sizes in bytes."""

    boxes: list[Box]
    total_bytes: int = field(init=False)

    def __post_init__(self) -> None:
        self.total_bytes = sum(box.size for box in self.boxes)

    def mails(self, box: int, start: int) -> Iterator[ArchivedMail]:
        """The mails from that place on."""
        before = [0]
        for one in self.boxes:
            before.append(before[-1] + one.size)
        skip_single = start > 0 and box < len(self.boxes) and self.boxes[box].single
        for number, found in mails_of(self.boxes, box + skip_single, 0 if skip_single else start):
            yield _archived(number, found, before[number])


def open_archive(path: Path) -> OpenedArchive:
    """An archive. Raises `BadFile`."""
    return OpenedArchive(boxes_of(path))


def cut_out(place: MailPlace, part_id: str, target: Path) -> None:
    """Write a part of an archived mail, or its whole source. Raises `NotFound`, also where another mail stands in its place by
    now: its files are not this mail's; `Refused` for a mail of which only the beginning is read."""
    name = Path(place.file).name
    if place.length > LARGEST:
        raise Refused(f"This mail is larger than {LARGEST} bytes. Take its files from {name} with another program.")
    try:
        raw = read_mail(place.file, place.start, place.length)
    except (OSError, *UNPACKING) as error:
        raise NotFound(f"The archive {name} is not where it was.", "Put it back, or import it again.") from error
    if ids_of(raw)[0] != place.gmail_id:
        raise NotFound(f"The archive {name} has changed since it was read.", "Import it again.")
    data = raw if part_id == SOURCE_PART else part_of(raw, part_id)
    if data is None:
        raise NotFound("This mail has no such file.")
    target.write_bytes(data)


def _archived(number: int, found: Found, before: int) -> ArchivedMail:
    gmail_id, thread_id = ids_of(found.raw)
    names = labels_of(found.raw, found.box.flags, found.box.folder) if found.raw else []
    own = tuple(Label(one, one.removeprefix(PREFIX), "user") for one in names if one.startswith(PREFIX))
    message = _message(found.raw, gmail_id, thread_id, names) if found.raw else None
    if message is not None and found.length > LARGEST:
        message = replace(message, size=found.length)
    place = MailPlace(GmailId(gmail_id), found.box.name, found.start, found.length)
    return ArchivedMail(message, place, number, before + found.start + found.length, own)


def _message(raw: bytes, gmail_id: str, thread_id: str, labels: list[str]) -> RemoteMessage:
    message = parse_message(resource_of(raw, gmail_id, thread_id, labels))
    snippet = " ".join(message.body_text[: 4 * SNIPPET].split())[:SNIPPET]
    return replace(message, snippet=snippet)
