"""Embeddings of mail in Chroma: a cache that can be deleted and rebuilt. Only one process may open it.

Vectors always come from outside (`embedding_function=None`), and Chroma's telemetry is off. Each account has a collection, which
marks the answered questions. Chroma stores them; `VectorArray` holds those of an account in memory (1.6 kB a mail) and compares
a search with every one exactly: 6 ms for 100,000, where Chroma's own search of some messages takes 50 ms.
"""

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from enum import StrEnum
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from app.domain.errors import IndexLost, NotAllowed
from app.domain.ids import AccountId, MessageId
from app.store.db.codecs import id_list
from app.store.db.database import Database
from app.store.search.message_table import Mask

if TYPE_CHECKING:
    from chromadb.api.client import Client
    from chromadb.api.models.Collection import Collection
    from chromadb.base_types import Metadata


Rows = NDArray[np.float32]


class VectorArray:
    """Unit vectors by message id, each marked if the owner answered the message. Not thread-safe."""

    def __init__(self, dimension: int) -> None:
        self._rows: Rows = np.zeros((0, dimension), dtype=np.float32)
        self._ids: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._answered: Mask = np.zeros(0, dtype=np.bool_)
        self._places: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._places)

    @property
    def ids(self) -> list[int]:
        return list(self._places)

    @property
    def answered(self) -> int:
        """How many are marked as answered."""
        return int(np.count_nonzero(self._answered[: len(self)]))

    def put(self, ids: Sequence[int], rows: Rows, answered: Sequence[bool]) -> None:
        """Adds vectors; a known message gets the new vector and mark."""
        self._grow(len(self) + len(ids))
        rows = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.float32(1e-12)) if len(rows) else rows
        for one, row, mark in zip(ids, rows, answered, strict=True):
            place = self._places.setdefault(int(one), len(self._places))
            self._rows[place], self._ids[place], self._answered[place] = row, one, mark

    def drop(self, ids: Sequence[int]) -> None:
        """Removes vectors: the last one takes the place of each."""
        for one in ids:
            place = self._places.pop(int(one), None)
            if place is None:
                continue
            last = len(self._places)
            if place != last:
                moved = int(self._ids[last])
                self._rows[place], self._ids[place], self._answered[place] = self._rows[last], moved, self._answered[last]
                self._places[moved] = place
            self._answered[last] = False

    def nearest(self, vector: Sequence[float], limit: int, among: Mask | None, answered: bool) -> list[tuple[MessageId, float]]:
        """The nearest messages with a cosine similarity from 0 to 1, nearest first."""
        count = len(self)
        ids = self._ids[:count]
        wanted = np.asarray(vector, dtype=np.float32)
        scores = self._rows[:count] @ (wanted / max(float(np.linalg.norm(wanted)), 1e-12))
        chosen: Mask = self._answered[:count] if answered else np.ones(count, dtype=np.bool_)
        if among is not None:
            inside = ids < len(among)
            chosen = chosen & inside & among[np.where(inside, ids, 0)] if len(among) else np.zeros(count, dtype=np.bool_)
        places = np.flatnonzero(chosen)
        if len(places) > limit:
            places = places[np.argpartition(-scores[places], limit)[:limit]]
        places = places[np.argsort(-scores[places], kind="stable")]
        return [(MessageId(int(ids[at])), min(1.0, max(0.0, float(scores[at])))) for at in places]

    def save(self, path: Path) -> None:
        """Writes everything to a file that `load` reads; the file is whole or not there."""
        count = len(self)
        part = path.with_suffix(".part")
        with part.open("wb") as file:
            for column in (self._ids[:count], self._answered[:count], self._rows[:count]):
                np.save(file, column)
        part.replace(path)

    @classmethod
    def load(cls, path: Path, dimension: int) -> "VectorArray | None":
        """What `save` wrote; None without a readable file."""
        made = cls(dimension)
        try:
            with path.open("rb") as file:
                ids, answered, rows = np.load(file), np.load(file), np.load(file)
        except (OSError, ValueError, EOFError):
            return None
        if rows.shape != (len(ids), dimension) or len(answered) != len(ids):
            return None
        made._ids, made._answered, made._rows = ids, answered, rows
        made._places = {int(one): at for at, one in enumerate(ids)}
        return made

    def _grow(self, wanted: int) -> None:
        """Makes room, an eighth more than needed."""
        if wanted <= len(self._ids):
            return
        room = wanted + wanted // 8 + 64
        rows = np.zeros((room, self._rows.shape[1]), dtype=np.float32)
        ids, answered = np.zeros(room, dtype=np.int64), np.zeros(room, dtype=np.bool_)
        count = len(self)
        rows[:count], ids[:count], answered[:count] = self._rows[:count], self._ids[:count], self._answered[:count]
        self._rows, self._ids, self._answered = rows, ids, answered


BATCH = 50
"""Larger batches let Chroma hold the interpreter for too long."""
READ_AT_ONCE = 2000

_MODEL_FILE = "model.json"

Numbers = Sequence[float] | Sequence[int]
"""Chroma's type of a vector."""


class VectorKind(StrEnum):
    """`ANSWERED`: a received message that the owner answered later in its thread."""

    ANSWERED = "answered"
    OTHER = "other"


Entry = tuple[MessageId, Sequence[float], str]
"""A message, its unit-length vector and its `VectorKind`."""


class Vectors:
    """The open vector store. Thread-safe.

    `emptied`: vectors were deleted on opening, because they were damaged or made by another model. `lost` is called, in any
    thread, when the folder turns out to be damaged while in use.
    """

    def __init__(self, client: "Client", path: Path, dimension: int, emptied: bool, lost: Callable[[], None]) -> None:
        self._client, self._path, self._dimension = client, path, dimension
        self._lock = RLock()
        self._collections: dict[AccountId, Collection] = {}
        self._arrays: dict[AccountId, VectorArray] = {}
        self._changed: set[AccountId] = set()
        self._lost, self.emptied = lost, emptied

    @classmethod
    def open(cls, path: Path, model_id: str, dimension: int, lost: Callable[[], None] = lambda: None) -> "Vectors":
        """Opens or creates the folder. The import takes about two seconds, so call it in a thread. Raises `IndexLost`."""
        from chromadb.api.client import Client
        from chromadb.config import Settings
        from chromadb.errors import ChromaError

        emptied = _emptied_for(path, {"model_id": model_id, "dimension": dimension})
        settings = Settings(
            chroma_api_impl="chromadb.api.rust.RustBindingsAPI",
            anonymized_telemetry=False,
            is_persistent=True,
            persist_directory=str(path),
        )
        try:
            return cls(Client(settings=settings), path, dimension, emptied, lost)
        except (ChromaError, AttributeError) as error:
            # Chroma's own cleanup after a failed start raises AttributeError.
            forget_model(path)
            raise IndexLost("The vectors cannot be opened.", "Start again; they are then built anew from the mail.") from error

    def upsert(self, account_id: AccountId, entries: Sequence[Entry]) -> None:
        """Writes vectors in batches. A known message gets the new vector and kind. Raises `NotAllowed` for a wrong dimension."""
        for message_id, vector, _ in entries:
            if len(vector) != self._dimension:
                raise NotAllowed(f"The vector of message {message_id} has {len(vector)} numbers, not {self._dimension}.")
        with self._locked():
            self._forget_saved(account_id)
            for start in range(0, len(entries), BATCH):
                ids, vectors, kinds = zip(*entries[start : start + BATCH], strict=True)
                marks = [kind == VectorKind.ANSWERED for kind in kinds]
                embeddings: list[Numbers] = [list(vector) for vector in vectors]
                noted: list[Metadata] = [{"answered": mark} for mark in marks]
                self._collection(account_id).upsert(ids=list(map(str, ids)), embeddings=embeddings, metadatas=noted)
                if account_id in self._arrays:
                    self._arrays[account_id].put(ids, np.asarray(vectors, dtype=np.float32), marks)

    def nearest(
        self, account_id: AccountId, vector: Sequence[float], limit: int, kind: str | None = None, among: Mask | None = None
    ) -> list[tuple[MessageId, float]]:
        """The nearest messages with a cosine similarity from 0 to 1, nearest first. All are compared.

        `kind` answered compares only answered questions, `among` only messages of the mask.
        """
        if limit <= 0:
            return []
        with self._locked():
            return self._array(account_id).nearest(vector, limit, among, kind == VectorKind.ANSWERED)

    def load(self, account_id: AccountId) -> None:
        """Reads the account's vectors into memory, so that the first search need not."""
        with self._locked():
            self._array(account_id)

    def delete(self, account_id: AccountId, ids: Sequence[MessageId]) -> None:
        """Deletes the vectors of messages; ignores unknown ones."""
        names = [str(one) for one in ids]
        with self._locked():
            self._forget_saved(account_id)
            for start in range(0, len(names), BATCH):
                self._collection(account_id).delete(ids=names[start : start + BATCH])
            if account_id in self._arrays:
                self._arrays[account_id].drop(ids)

    def ids(self, account_id: AccountId) -> list[int]:
        with self._locked():
            return self._array(account_id).ids

    def forget(self, account_id: AccountId) -> None:
        with self._locked():
            self._forget_saved(account_id)
            self._arrays.pop(account_id, None)
            if account_id in self._collections or _name(account_id) in {one.name for one in self._client.list_collections()}:
                self._collections.pop(account_id, None)
                self._client.delete_collection(_name(account_id))

    def count(self, account_id: AccountId, kind: str | None = None) -> int:
        """How many messages have a vector; with `kind` answered how many answered questions."""
        with self._locked():
            if kind == VectorKind.ANSWERED:
                return self._array(account_id).answered
            return len(self._arrays[account_id]) if account_id in self._arrays else self._collection(account_id).count()

    def close(self) -> None:
        """Closes the folder and saves what is in memory, which the next start reads faster than from Chroma."""
        with self._lock:
            for account_id in self._changed & self._arrays.keys():
                with suppress(OSError):  # without the file the vectors are read from Chroma
                    self._arrays[account_id].save(self._saved(account_id))
            self._arrays.clear()
            self._collections.clear()
            self._client.close()

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """One operation at a time. Raises `IndexLost` for a damaged folder, which the next `open` empties."""
        from chromadb.errors import ChromaError

        with self._lock:
            try:
                yield
            except ChromaError as error:
                forget_model(self._path)
                self._lost()
                raise IndexLost(f"The vectors cannot be read ({error.name()}).") from error

    def _array(self, account_id: AccountId) -> VectorArray:
        """The account's vectors in memory: from the file of the last close, otherwise from Chroma (5 s for 100,000)."""
        if account_id not in self._arrays:
            array = VectorArray.load(self._saved(account_id), self._dimension)
            collection = self._collection(account_id)
            if array is None or len(array) != collection.count():
                array = VectorArray(self._dimension)
                for start in range(0, collection.count(), READ_AT_ONCE):
                    found = collection.get(include=["embeddings", "metadatas"], limit=READ_AT_ONCE, offset=start)
                    rows = np.asarray(found["embeddings"], dtype=np.float32)
                    marks = [bool(one["answered"]) for one in found["metadatas"] or ()]
                    array.put([int(one) for one in found["ids"]], rows, marks)
                self._forget_saved(account_id)
            self._arrays[account_id] = array
        return self._arrays[account_id]

    def _saved(self, account_id: AccountId) -> Path:
        return self._path / f"{_name(account_id)}.array"

    def _forget_saved(self, account_id: AccountId) -> None:
        """Deletes the file before the first change, so that after a crash the vectors are read from Chroma."""
        if account_id not in self._changed:
            self._saved(account_id).unlink(missing_ok=True)
            self._changed.add(account_id)

    def _collection(self, account_id: AccountId) -> "Collection":
        """A collection, never with Chroma's own embedder, which would download a model."""
        if account_id not in self._collections:
            self._collections[account_id] = self._client.get_or_create_collection(
                _name(account_id), configuration={"hnsw": {"space": "cosine"}}, embedding_function=None
            )
        return self._collections[account_id]


def _name(account_id: AccountId) -> str:
    """A collection's name; Chroma requires at least three characters."""
    return f"account-{account_id}"


def _emptied_for(path: Path, model: dict[str, str | int]) -> bool:
    """Empties the folder unless it was made for `model` and Chroma can read it. Returns whether vectors were deleted."""
    note = path / _MODEL_FILE
    with suppress(OSError, ValueError, sqlite3.DatabaseError):
        # Chroma does not recover from a catalogue that is no database.
        catalogue = path / "chroma.sqlite3"
        if catalogue.exists():
            with closing(sqlite3.connect(catalogue)) as connection:
                connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if json.loads(note.read_text(encoding="utf-8")) == model:
            return False
    old = path.exists() and any(path.iterdir())
    if path.exists():
        shutil.rmtree(path)
    path.mkdir(mode=0o700, parents=True)
    note.write_text(json.dumps(model), encoding="utf-8")
    return old


def forget_model(path: Path) -> None:
    """Makes the next `open` empty the folder."""
    (path / _MODEL_FILE).unlink(missing_ok=True)


_QUEUE = """INSERT INTO jobs (kind, key, id, payload, priority, newest, run_at)
    SELECT 'index', CAST(m.id AS TEXT), random() & 0x3fffffffffffffff, '', ?, m.date, 0 FROM (
        SELECT id, date FROM messages WHERE account_id = ?
        AND id NOT IN (SELECT message_id FROM message_labels WHERE label IN ('SPAM', 'TRASH', 'DRAFT'))
        ORDER BY date DESC LIMIT ?) m
    WHERE m.id NOT IN (SELECT value FROM json_each(?))
    ON CONFLICT (kind, key) DO NOTHING"""

_FORGET = """DELETE FROM jobs WHERE kind = 'index' AND (failed_at IS NOT NULL OR ?)
    AND key IN (SELECT CAST(id AS TEXT) FROM messages WHERE account_id = ?)"""


def index_again(db: Database, account_id: AccountId) -> int:
    """Queues every message of the account that may be a source, newest first. Returns how many were queued."""
    with db.transaction() as connection:
        connection.execute(_FORGET, (False, account_id))
        return connection.execute(_QUEUE, (0, account_id, -1, "[]")).rowcount


def index_archive(db: Database, vectors: Vectors, account_id: AccountId, most: int) -> None:
    """Queues the newest messages of an archive that have no vector yet, after the owner's other mail; none for 0."""
    if most:
        with db.transaction() as connection:
            connection.execute(_QUEUE, (-1, account_id, most, id_list(vectors.ids(account_id))))
        return
    with db.transaction() as connection:
        connection.execute(_FORGET, (True, account_id))
    vectors.forget(account_id)
