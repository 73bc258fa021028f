"""Raw mail in one file, so a hundred thousand messages cost no memory. Nothing stored is ever changed."""

from dataclasses import dataclass
from typing import IO


@dataclass(frozen=True, slots=True)
class Slice:
    """Where one mail lies in the spool, in bytes."""

    at: int
    size: int


class Spool:
    """Appends mails to an open file and reads them back; the file belongs to whoever opened it."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._end = 0

    def append(self, raw: bytes) -> Slice:
        """Keep one mail."""
        self._file.seek(self._end)
        self._file.write(raw)
        place = Slice(self._end, len(raw))
        self._end += len(raw)
        return place

    def read(self, place: Slice) -> bytes:
        """One mail as it was given."""
        self._file.seek(place.at)
        return self._file.read(place.size)
