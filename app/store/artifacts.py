"""Files that the app made, in its own folder: named by the digest of what they hold, so that a handle can mean nothing else.

Refuses paths, links, dot files, other files of the folder, and content that is not what its handle says.
"""

import os
import re
import stat
from hashlib import sha256
from pathlib import Path

from app.domain.artifacts import Handle
from app.domain.errors import DiskFull, NotFound, Refused

HANDLE = re.compile(r"[0-9a-f]{64}")
NAME = re.compile(r"[^\W_][\w .()\-]{0,78}", re.UNICODE)
MOST_BYTES = 25_000_000


class ArtifactFolder:
    """Implements `Artifacts`: one folder a file, `<digest>/<name>`."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def has(self, handle: str) -> bool:
        """Whether there is such a file."""
        return HANDLE.fullmatch(handle) is not None and self._file(handle) is not None

    def path(self, handle: str) -> Path:
        """Where a file lies. Raises as `read` does."""
        self.read(handle)
        return self._found(handle)

    def read(self, handle: str) -> tuple[Handle, bytes]:
        """A file. Raises `NotFound`, and `Refused` where it is not what it was, or cannot be read."""
        path = self._found(handle)
        try:
            content = path.read_bytes()
        except OSError as error:
            raise Refused(f"The document cannot be read: {error.strerror}.") from error
        if sha256(content).hexdigest() != handle:
            raise Refused("The document was changed outside of the program.")
        return Handle(handle, path.name, handle, len(content)), content

    def write(self, name: str, content: bytes) -> Handle:
        """Keep a file; the same content is the same file, under its first name. Raises `Refused`, `DiskFull`."""
        if NAME.fullmatch(name) is None or name.endswith((".", " ")):
            raise Refused(f"{name[:80]!r} is no name for a document.")
        if len(content) > MOST_BYTES:
            raise Refused(f"A document has at most {MOST_BYTES // 1_000_000} MB.")
        digest = sha256(content).hexdigest()
        standing = self._file(digest)
        if standing is not None:
            return Handle(digest, standing.name, digest, len(content))
        try:
            self._put(digest, name, content)
        except OSError as error:
            raise DiskFull(f"The document could not be written: {error.strerror}.") from error
        return Handle(digest, name, digest, len(content))

    def _found(self, handle: str) -> Path:
        path = self._file(handle) if HANDLE.fullmatch(handle) else None
        if path is None:
            raise NotFound("There is no such document.")
        return path

    def _put(self, digest: str, name: str, content: bytes) -> None:
        """Whole or not at all: written beside its place, then moved there."""
        folder = self._root / digest
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        part = self._root / f"{digest}.part"
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0), 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        part.replace(folder / name)

    def _file(self, digest: str) -> Path | None:
        """The one plain file of a digest's folder."""
        folder = self._root / digest
        if folder.is_symlink() or not folder.is_dir():
            return None
        found = [one for one in folder.iterdir() if NAME.fullmatch(one.name) and stat.S_ISREG(one.lstat().st_mode)]
        return found[0] if len(found) == 1 and found[0].resolve().is_relative_to(self._root.resolve()) else None
