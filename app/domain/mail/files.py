"""Files of messages and artifacts of the app: their states, commands and events, and safe file names. Pure functions."""

import re
from enum import StrEnum
from pathlib import Path

from app.domain.ids import MessageId
from app.domain.record import Record
from app.domain.wire import Command, Event

SOURCE_PART = "*"
"""The part id of a message's whole source."""
LONGEST_NAME = 120
_BAD = re.compile(r'[\x00-\x1f\x7f-\x9f<>:"/\\|?*\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]')
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)
_PROGRAMS = (
    "|exe|com|bat|cmd|msi|msp|scr|pif|cpl|js|jse|vbs|vbe|wsf|wsh|ps1|psm1|hta|jar|reg|lnk|url|desktop|sh|bash|zsh|command|app|pkg"
    "|dmg|deb|rpm|appimage|apk|py|pyw|rb|pl|php|iso|img|vhd|vhdx|gadget|inf|scf|chm|application|xll|msc|msix|msixbundle|appx"
    "|appxbundle|appinstaller|appref-ms|jnlp|ws|wsc|sct|mst|settingcontent-ms|library-ms|search-ms|searchconnector-ms|diagcab"
    "|theme|themepack|website|run|flatpakref|snap|mpkg|terminal|workflow|scpt|scptd|applescript|tool|prefpane|fileloc|inetloc|"
)
"""Suffixes of files that run something when they are opened."""


class FileState(StrEnum):
    """`wanted` is requested or being fetched, `here` is on disk. `failed` waits until the owner tries again."""

    WANTED = "wanted"
    HERE = "here"
    FAILED = "failed"


class StoredFile(Record):
    """A part of a message on disk or being fetched. `size` is in bytes once it is there; `error` is a code of `domain.errors`."""

    state: FileState
    path: Path
    size: int
    error: str


class FetchFile(Command):
    """Fetches a part of a message to disk (`SOURCE_PART`: its source), unless it is there."""

    message_id: MessageId
    part_id: str


class Unsubscribe(Command):
    """Sends the list's one-click unsubscribe request. Only when the owner clicks."""

    message_id: MessageId


class FileChanged(Event):
    """Bytes of a file on disk so far. `error` is a code of `domain.errors` if it failed."""

    message_id: MessageId
    part_id: str
    state: FileState
    done_bytes: int
    error: str = ""


class Unsubscribed(Event):
    """The list's server accepted the request."""

    message_id: MessageId
    host: str


def safe_name(name: str, fallback: str = "file") -> str:
    """A sender's file name made safe for Linux, macOS and Windows."""
    name = _BAD.sub("_", name.encode("utf-8", "replace").decode("utf-8")).strip(" .")
    if not name.strip("_. "):
        name = fallback
    if _DEVICE.fullmatch(name):
        name = f"_{name}"
    stem, dot, ending = name.rpartition(".")
    if not dot or len(ending) > 16:
        stem, ending = name, ""
    room = LONGEST_NAME - len(ending.encode()) - 1
    while len(stem.encode()) > room:
        stem = stem[:-1]
    return f"{stem.rstrip(' .')}.{ending}" if ending else stem.rstrip(" .")


def runs_when_opened(name: str) -> bool:
    """Whether a file of this name would run when opened. It may be saved, but is never opened from here."""
    return f"|{name.rpartition('.')[2].lower()}|" in _PROGRAMS


class ArtifactHandle(Record):
    """A file the app made. `id` is what models and users name it by, `sha256` (hex) its content's digest, `size` in bytes."""

    id: str
    name: str
    sha256: str
    size: int


class DocumentText(Record):
    """The text of a document. `cut`: it is damaged or took too long, and this is only its beginning."""

    handle: ArtifactHandle
    text: str
    cut: bool = False
