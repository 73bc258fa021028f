"""An opened archive as parsed messages in order, for the engine's importer, and the export of files from it.

A large part is written to disk in pieces as its lines are read.
"""

import io
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import BinaryIO

from app.domain.errors import NotFound
from app.domain.ids import GmailId
from app.domain.mail.files import SOURCE_PART
from app.domain.mail.message import Label, RemoteMessage
from app.domain.protocol.archive_commands import ArchivedMail, MailPlace
from app.mail.archives.archive import INNER, UNPACKING, ArchiveBox, ArchiveEntry, PackedReader, boxes_of, mails_of
from app.mail.archives.filing import PREFIX, is_from_gmail, labels_of, thread_of
from app.mail.archives.mbox import lines_at, read_mbox
from app.mail.archives.reduced import CutFile, ReducedMail, decoder_for, reduced
from app.mail.archives.resource import cut_in, part_of, resource_of
from app.mail.parse import parse_message


def write_source(lines: Iterable[bytes], target: Path) -> None:
    with target.open("wb") as file:
        file.writelines(lines)


def write_part(mail: ReducedMail, lines: Iterable[bytes], part_id: str, target: Path) -> bool:
    """Writes the decoded bytes of one part; `lines` are the message's.

    Returns False if there is no such part.
    """
    data = part_of(mail.raw, part_id)
    if data is None:
        return False
    cut = cut_in(data, mail.cuts)
    with target.open("wb") as file:
        if cut is not None:
            decoder = decoder_for(cut.encoding)
            for piece in _between(lines, cut):
                file.write(decoder.feed(piece))
            file.write(decoder.end())
        else:
            _write_filled(data, mail.cuts, lines, file)
    return True


def _write_filled(data: bytes, cuts: tuple[CutFile, ...], lines: Iterable[bytes], file: BinaryIO) -> None:
    """Writes a nested message with the files that were cut from it put back."""
    by_mark = {cut.mark.encode(): cut for cut in cuts}
    marks = re.compile(b"|".join(map(re.escape, by_mark)) or rb"(?!)")
    at, source = 0, _Source(lines)
    for found in marks.finditer(data):
        file.write(data[at : found.start()])
        for piece in source.between(by_mark[found[0]]):
            file.write(piece)
        at = found.end()
    file.write(data[at:])


class _Source:
    """Reads the lines of a message once; cuts must come in their order."""

    def __init__(self, lines: Iterable[bytes]) -> None:
        self._lines = iter(lines)
        self._at = 0
        self._line = b""

    def between(self, cut: CutFile) -> Iterator[bytes]:
        """Yields the bytes of a cut."""
        while True:
            first, last = max(cut.start - self._at, 0), cut.end - self._at
            if first < len(self._line) and last > 0:
                yield self._line[first:last]
            if last <= len(self._line):
                return
            self._at += len(self._line)
            self._line = next(self._lines, b"")
            if not self._line:
                return


def _between(lines: Iterable[bytes], cut: CutFile) -> Iterator[bytes]:
    return _Source(lines).between(cut)


SNIPPET = 200
LOOKS = 8
LOOKED_AT = 25
"""Messages read at each place of a sample."""
WINDOW = 2_000_000
"""Bytes read at each place of a sample. A message that goes on after them is recognised by its head."""
FURTHEST = 400_000_000
"""Only this many unpacked bytes of a packed box are sampled: unpacking them takes some four seconds on a slow machine."""


@dataclass(slots=True)
class OpenedArchive:
    """The boxes of an archive; sizes in bytes.

    `unread` are its files that cannot be read; reading may add more.
    """

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

    def sample(self) -> Iterator[ArchivedMail]:
        """Yields some messages from all over the archive.

        Of a packed box only the beginning is sampled, since reaching a place means unpacking everything before it.
        """
        places = sorted({self._place(look * self.total_bytes // LOOKS) for look in range(LOOKS)})
        with PackedReader() as packed_reader:
            for number, group in groupby(places, key=itemgetter(0)):
                with (
                    suppress(OSError, *UNPACKING),
                    packed_reader.open(self.boxes[number].name) as stream,
                ):  # reading the whole box reports the error
                    for _, start in group:
                        stream.seek(start)
                        yield from _looked_at(number, self.boxes[number], start, stream.read(WINDOW))

    def _place(self, at: int) -> tuple[int, int]:
        """Converts a byte of the archive to a box and a byte in it."""
        for number, entry in enumerate(self.boxes):
            if at < entry.size:
                within = at * min(entry.size, FURTHEST) // entry.size if INNER in entry.name else at
                return number, 0 if entry.single else within
            at -= entry.size
        return 0, 0


def _looked_at(number: int, box: ArchiveBox, start: int, window: bytes) -> Iterator[ArchivedMail]:
    """Yields the messages in a part of a box."""
    if box.single:
        mail = reduced(window.splitlines(keepends=True))
        yield _archived(number, ArchiveEntry(box, 0, box.size, mail), 0)
        return
    # in the middle of a box the first piece is the rest of a message
    for found in islice(read_mbox(io.BytesIO(window)), 1 if start else 0, LOOKED_AT):
        yield _archived(number, ArchiveEntry(box, found.start, found.end - found.start, found.mail), 0)


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
                mail = reduced(lines_at(stream, place.start, place.length))
            if mail.digest != (place.digest or place.gmail_id):
                raise NotFound(f"The archive {name} has changed since it was read.", "Import it again.")
            with packed_reader.open(place.file) as stream:
                lines = lines_at(stream, place.start, place.length)
                if part_id == SOURCE_PART:
                    write_source(lines, target)
                elif not write_part(mail, lines, part_id, target):
                    raise NotFound("This mail has no such file.")
    except (OSError, *UNPACKING) as error:
        raise NotFound(f"The archive {name} is not where it was.", "Put it back, or import it again.") from error


def _archived(number: int, found: ArchiveEntry, before: int) -> ArchivedMail:
    mail, message = found.mail, None
    labels: tuple[Label, ...] = ()
    if mail is not None:
        names = labels_of(mail.raw, found.box.flags, found.box.folder)
        labels = tuple(Label(name, name.removeprefix(PREFIX), "user") for name in names if name.startswith(PREFIX))
        message = _message(mail, names)
    digest = GmailId(mail.digest if mail is not None else "")
    place = MailPlace(digest, found.box.name, found.start, found.length)
    from_gmail = mail is not None and is_from_gmail(mail.raw)
    return ArchivedMail(message, place, number, before + found.start + found.length, labels, from_gmail)


def _message(mail: ReducedMail, labels: list[str]) -> RemoteMessage:
    resource = resource_of(mail.raw, mail.digest, thread_of(mail.raw, mail.digest), labels, mail.cuts)
    message = parse_message(resource)
    snippet = " ".join(message.body_text[: 4 * SNIPPET].split())[:SNIPPET]
    return replace(message, snippet=snippet, size=mail.size)
