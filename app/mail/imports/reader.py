"""An opened archive as parsed mails in order, for the engine's importer, and files cut out of it again.

Refuses to keep more than one mail in memory, and of that the bytes of large files.
"""

import io
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path

from app.domain.archives import ArchivedMail, MailPlace
from app.domain.errors import NotFound
from app.domain.ids import GmailId
from app.domain.mail import Label, RemoteMessage
from app.domain.mail_files import SOURCE_PART
from app.mail.imports.archive import Box, Found, boxes_of, mails_of
from app.mail.imports.cutting import write_part, write_source
from app.mail.imports.filing import PREFIX, is_from_gmail, labels_of, thread_of
from app.mail.imports.mbox import lines_at, read_mbox
from app.mail.imports.packed import INNER, UNPACKING, Shelf
from app.mail.imports.reduced import Reduced, reduced
from app.mail.imports.resource import resource_of
from app.mail.parse import parse_message

SNIPPET = 200
LOOKS = 8
LOOKED_AT = 25
"""Mails at each place of an archive that is looked through."""
WINDOW = 2_000_000
"""So many bytes are read at each; the head of a mail that goes on behind them is enough."""
FURTHEST = 400_000_000
"""Bytes of a packed box among which the places lie: unpacking them takes some four seconds of a slow machine."""


@dataclass(slots=True)
class OpenedArchive:
    """The boxes of an archive; sizes in bytes. `unread` are its files that cannot be read, more of them as they are met."""

    boxes: list[Box]
    unread: list[Path] = field(default_factory=list)
    total_bytes: int = field(init=False)

    def __post_init__(self) -> None:
        self.total_bytes = sum(box.size for box in self.boxes)

    def mails(self, box: int, start: int) -> Iterator[ArchivedMail]:
        """The mails from that place on."""
        before = [0]
        for one in self.boxes:
            before.append(before[-1] + one.size)
        skip_single = start > 0 and box < len(self.boxes) and self.boxes[box].single
        for number, found in mails_of(self.boxes, self.unread, box + skip_single, 0 if skip_single else start):
            yield _archived(number, found, before[number])

    def sample(self) -> Iterator[ArchivedMail]:
        """Some mails from all over it; of a packed box from what can be unpacked in a few seconds, since reading a place means
        unpacking all that lies before it."""
        places = sorted({self._place(look * self.total_bytes // LOOKS) for look in range(LOOKS)})
        with Shelf() as shelf:
            for number, group in groupby(places, key=itemgetter(0)):
                with (
                    suppress(OSError, *UNPACKING),
                    shelf.open(self.boxes[number].name) as stream,
                ):  # reading it says what is wrong
                    for _, start in group:
                        stream.seek(start)
                        yield from _looked_at(number, self.boxes[number], start, stream.read(WINDOW))

    def _place(self, at: int) -> tuple[int, int]:
        """The box that this byte of the archive lies in, and where in it reading can begin."""
        for number, one in enumerate(self.boxes):
            if at < one.size:
                within = at * min(one.size, FURTHEST) // one.size if INNER in one.name else at
                return number, 0 if one.single else within
            at -= one.size
        return 0, 0


def _looked_at(number: int, box: Box, start: int, window: bytes) -> Iterator[ArchivedMail]:
    """The mails in a stretch of a box."""
    if box.single:
        mail = reduced(window.splitlines(keepends=True))
        yield _archived(number, Found(box, 0, box.size, mail), 0)
        return
    for one in islice(read_mbox(io.BytesIO(window)), 1 if start else 0, LOOKED_AT):  # in the midst of a mail is its rest
        yield _archived(number, Found(box, one.start, one.end - one.start, one.mail), 0)


def open_archive(path: Path) -> OpenedArchive:
    """An archive. Raises `BadFile`."""
    return OpenedArchive(*boxes_of(path))


def cut_out(place: MailPlace, part_id: str, target: Path) -> None:
    """Write a part of an archived mail, or its whole source. Raises `NotFound`, also where another mail stands in its place by
    now: its files are not this mail's."""
    name = Path(place.file).name
    try:
        with Shelf() as shelf:
            with shelf.open(place.file) as stream:
                mail = reduced(lines_at(stream, place.start, place.length))
            if mail.digest != (place.digest or place.gmail_id):
                raise NotFound(f"The archive {name} has changed since it was read.", "Import it again.")
            with shelf.open(place.file) as stream:
                lines = lines_at(stream, place.start, place.length)
                if part_id == SOURCE_PART:
                    write_source(lines, target)
                elif not write_part(mail, lines, part_id, target):
                    raise NotFound("This mail has no such file.")
    except (OSError, *UNPACKING) as error:
        raise NotFound(f"The archive {name} is not where it was.", "Put it back, or import it again.") from error


def _archived(number: int, found: Found, before: int) -> ArchivedMail:
    mail, message = found.mail, None
    labels: tuple[Label, ...] = ()
    if mail is not None:
        names = labels_of(mail.raw, found.box.flags, found.box.folder)
        labels = tuple(Label(one, one.removeprefix(PREFIX), "user") for one in names if one.startswith(PREFIX))
        message = _message(mail, names)
    digest = GmailId(mail.digest if mail is not None else "")
    place = MailPlace(digest, found.box.name, found.start, found.length)
    from_gmail = mail is not None and is_from_gmail(mail.raw)
    return ArchivedMail(message, place, number, before + found.start + found.length, labels, from_gmail)


def _message(mail: Reduced, labels: list[str]) -> RemoteMessage:
    resource = resource_of(mail.raw, mail.digest, thread_of(mail.raw, mail.digest), labels, mail.cuts)
    message = parse_message(resource)
    snippet = " ".join(message.body_text[: 4 * SNIPPET].split())[:SNIPPET]
    return replace(message, snippet=snippet, size=mail.size)
