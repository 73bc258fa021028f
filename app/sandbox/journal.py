"""What was asked of the sandbox: method, path, status, units and a digest of the body, never a body itself."""

import hashlib
from collections import deque
from dataclasses import dataclass

from app.sandbox.call import Call
from app.sandbox.shapes import JsonObject

MOST_ENTRIES = 50_000


@dataclass(frozen=True, slots=True)
class Entry:
    """One request; `fault` is the kind of the fault that hit it, or ''."""

    number: int
    moment_s: float
    verb: str
    path: str
    method: str
    status: int
    units: int
    inner: bool
    body_sha256: str
    fault: str

    def shape(self) -> JsonObject:
        """For the admin interface."""
        return {name: getattr(self, name) for name in self.__slots__}


class Journal:
    """The last requests, oldest first."""

    def __init__(self) -> None:
        self._entries: deque[Entry] = deque(maxlen=MOST_ENTRIES)
        self._count = 0

    def note(self, moment_s: float, call: Call, method: str, status: int, units: int, fault: str) -> None:
        """Write one request down."""
        self._count += 1
        digest = hashlib.sha256(call.body).hexdigest() if call.body else ""
        entry = Entry(self._count, moment_s, call.verb, call.path, method, status, units, call.inner, digest, fault)
        self._entries.append(entry)

    def since(self, number: int) -> list[Entry]:
        """Entries after a number."""
        return [entry for entry in self._entries if entry.number > number]

    def clear(self) -> None:
        """Forget every entry; the numbers go on."""
        self._entries.clear()
