"""Raw mail on disk: one unnamed temporary file, so a hundred thousand messages cost no memory. Nothing is changed."""

import tempfile
from dataclasses import dataclass
from typing import IO


@dataclass(frozen=True, slots=True)
class Slice:
    """Where one mail lies in the spool, in bytes."""

    at: int
    size: int


class Spool:
    """Appends mails and reads them back; the file vanishes with the process."""

    def __init__(self) -> None:
        self._file: IO[bytes] = tempfile.TemporaryFile(prefix="replyroom-sandbox-")  # noqa: SIM115
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

    def close(self) -> None:
        """Give the file back."""
        self._file.close()
