"""The owner's consents to MCP servers, in `mcp.json`: launch lines by fingerprint, and pinned tools by digest.

An unreadable file counts as no consent: every server asks again.
"""

import logging
import threading
from collections.abc import Mapping
from pathlib import Path

import msgspec

from app.config.settings_file import write_atomically

log = logging.getLogger(__name__)


class ToolServerConsent(msgspec.Struct, frozen=True):
    """`line` is the launch line the owner saw. `pins` is None before the server listed its tools."""

    line: str
    pins: dict[str, str] | None = None


class ConsentFile:
    """What the owner agreed to. Thread-safe."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._known: dict[str, ToolServerConsent] | None = None

    def granted(self, launch: str) -> bool:
        with self._lock:
            return launch in self._read()

    def pins(self, launch: str) -> Mapping[str, str] | None:
        """Digests by tool name. None before the first listing and without consent."""
        with self._lock:
            known = self._read().get(launch)
            return None if known is None else known.pins

    def grant(self, launch: str, line: str) -> None:
        """Stores the consent to this launch. Raises `DiskFull` or `NotAllowed`."""
        with self._lock:
            self._write({**self._read(), launch: self._read().get(launch) or ToolServerConsent(line)})

    def revoke(self, launch: str) -> None:
        """Deletes the consent and its pinned tools. Raises `DiskFull` or `NotAllowed`."""
        with self._lock:
            self._write({key: one for key, one in self._read().items() if key != launch})

    def pin(self, launch: str, pins: Mapping[str, str]) -> None:
        """Adds consents to tools. Does nothing without consent to the launch. Raises `DiskFull` or `NotAllowed`."""
        with self._lock:
            known = self._read().get(launch)
            if known is not None:
                self._write({**self._read(), launch: ToolServerConsent(known.line, {**(known.pins or {}), **pins})})

    def _read(self) -> dict[str, ToolServerConsent]:
        if self._known is None:
            try:
                self._known = msgspec.json.decode(self._path.read_bytes(), type=dict[str, ToolServerConsent])
            except FileNotFoundError:
                self._known = {}
            except (OSError, ValueError):
                log.warning("the consents in %s cannot be read; every server asks again", self._path.name)
                self._known = {}
        return self._known

    def _write(self, known: dict[str, ToolServerConsent]) -> None:
        write_atomically(self._path, msgspec.json.format(msgspec.json.encode(known)).decode())
        self._known = known
