"""Artifacts: files made by the assistant, named by the SHA-256 digest of their content.

Also finds the artifacts still in use by waiting or undoable drafts and by requests.
"""

import os
import re
import shutil
import sqlite3
from collections.abc import Collection
from contextlib import closing, suppress
from datetime import datetime
from hashlib import sha256
from itertools import count
from pathlib import Path

from app.domain.drafting.draft import Draft
from app.domain.error_texts import Cause
from app.domain.errors import DiskFull, NotAllowed, NotFound
from app.domain.mail.files import ArtifactHandle, safe_name
from app.store.db.codecs import unpack_json, unpack_listed
from app.store.db.errors import converted

_DRAFTS = """SELECT p.draft FROM reviews r JOIN review_revisions p ON p.review_id = r.id
    WHERE (r.status IN ('pending', 'answered')
        OR r.id IN (SELECT review_id FROM outbox WHERE state NOT IN ('sent', 'cancelled')))
    AND p.draft LIKE '%"attachments":[{%'"""
_STEPS = """SELECT documents FROM request_steps WHERE documents <> '' UNION ALL SELECT files FROM requests WHERE files <> ''"""


def named_documents(connection: sqlite3.Connection) -> frozenset[str]:
    """The ids of artifacts in use, including files removed from a draft that an undo would restore."""
    drafts = (unpack_json(row[0], Draft) for row in connection.execute(_DRAFTS))
    attached = {one.id for draft in drafts if draft is not None for one in draft.attachments}
    made = {one.id for row in connection.execute(_STEPS) for one in unpack_listed(row[0], ArtifactHandle)}
    return frozenset(attached | made)


def documents_named_in(path: Path) -> frozenset[str]:
    """`named_documents` for a database file that is not open. Raises the errors of `converted`."""
    with converted(), closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        return named_documents(connection)


HANDLE = re.compile(r"[0-9a-f]{64}")
NAME = re.compile(r"[^\W_][\w .()\-]{0,78}", re.UNICODE)
MOST_BYTES = 25_000_000
COPIES = "opened"
"""The folder of copies for other programs; no digest has this name."""


class ArtifactFolder:
    """Each artifact is at `<digest>/<name>`."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def has(self, handle: str) -> bool:
        return HANDLE.fullmatch(handle) is not None and self._file(handle) is not None

    def read(self, handle: str) -> tuple[ArtifactHandle, bytes]:
        """Reads an artifact. Raises `NotFound`, and `NotAllowed` when its content changed or cannot be read."""
        path, content = self._unchanged(handle)
        return ArtifactHandle(handle, path.name, handle, len(content)), content

    def locate(self, handle: str) -> tuple[ArtifactHandle, Path]:
        """Returns where an artifact is. Raises as `read`."""
        path, content = self._unchanged(handle)
        return ArtifactHandle(handle, path.name, handle, len(content)), path

    def _unchanged(self, handle: str) -> tuple[Path, bytes]:
        path = self._file(handle) if HANDLE.fullmatch(handle) else None
        if path is None:
            raise NotFound(Cause.NO_DOCUMENT)
        try:
            content = path.read_bytes()
        except OSError as error:
            raise NotAllowed(Cause.DOCUMENT_UNREADABLE, error.strerror) from error
        if sha256(content).hexdigest() != handle:
            raise NotAllowed(Cause.DOCUMENT_CHANGED)
        return path, content

    def write(self, name: str, content: bytes) -> ArtifactHandle:
        """Stores an artifact. The same content is the same artifact and keeps its first name.

        Raises `NotAllowed` for an invalid name or more than `MOST_BYTES`, and `DiskFull`.
        """
        if NAME.fullmatch(name) is None or name.endswith((".", " ")):
            raise NotAllowed(Cause.NO_DOCUMENT_NAME, name[:80])
        if len(content) > MOST_BYTES:
            raise NotAllowed(Cause.DOCUMENT_TOO_LARGE, MOST_BYTES // 1000000)
        digest = sha256(content).hexdigest()
        standing = self._file(digest)
        if standing is not None:
            with suppress(OSError):
                standing.touch()  # in use again: the sweep must not delete it as old
            return ArtifactHandle(digest, standing.name, digest, len(content))
        self._put(self._root / digest, name, content)
        return ArtifactHandle(digest, name, digest, len(content))

    def copy_out(self, document: ArtifactHandle) -> Path:
        """Makes a copy for other programs under the name of `document`. Changes to it affect neither the artifact nor later
        copies.

        Raises `NotFound`, `NotAllowed` and `DiskFull`.
        """
        _found, content = self.read(document.id)
        name, around = safe_name(document.name), self._root / COPIES / document.id
        places = (around / str(number) / name for number in count(1))
        return next(place for place in places if self._copied(place, content))

    def sweep(self, named: Collection[str], before: datetime) -> int:
        """Deletes artifacts older than `before` that are not `named`, and copies of that age. Returns how many were deleted."""
        files = [one for one in self._inside(self._root) if one.name != COPIES and one.name not in named]
        old = [one for one in (*files, *self._inside(self._root / COPIES)) if _newest(one) < before.timestamp()]
        for one in old:
            with suppress(OSError):  # open in another program; the next sweep tries again
                _remove(one)
        return sum(not one.exists() for one in old)

    def keep_only(self, named: Collection[str]) -> None:
        """Deletes all artifacts that are not `named`, and all copies. Raises `OSError`."""
        for one in self._inside(self._root):
            if one.name not in named:
                _remove(one)

    def _inside(self, folder: Path) -> list[Path]:
        return sorted(folder.iterdir()) if folder.is_dir() and not folder.is_symlink() else []

    def _copied(self, place: Path, content: bytes) -> bool:
        """Writes the content to `place` unless something is there. Returns whether `place` has this content."""
        if not place.exists():
            self._put(place.parent, place.name, content)
        try:
            return place.read_bytes() == content
        except OSError:
            return False

    def _put(self, folder: Path, name: str, content: bytes) -> None:
        """Writes a file as a whole or not at all. Raises `DiskFull`."""
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            part = folder.with_name(f"{folder.name}.part")
            descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0), 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
            part.replace(folder / name)
        except OSError as error:
            raise DiskFull(f"The document could not be written: {error.strerror}.") from error

    def _file(self, digest: str) -> Path | None:
        """The single regular file in a digest's folder."""
        folder = self._root / digest
        if folder.is_symlink() or not folder.is_dir():
            return None
        found = [one for one in folder.iterdir() if NAME.fullmatch(one.name) and one.is_file() and not one.is_symlink()]
        return found[0] if len(found) == 1 and found[0].resolve().is_relative_to(self._root.resolve()) else None


def _newest(path: Path) -> float:
    """The newest modification time of a path and all below it, Unix seconds."""
    return max((one.lstat().st_mtime for one in (path, *path.rglob("*")) if one.exists()), default=0.0)


def _remove(path: Path) -> None:
    """Deletes a file, a folder with its content, or a link but not its target."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()
