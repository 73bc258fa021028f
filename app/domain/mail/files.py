"""Files that mail carries: names that are safe on any system, and how far each is on its way to disk. Pure.

Files of the app's own, as tools, drafts and models name them. Pure.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from app.domain.ids import MessageId

SOURCE_PART = "*"
"""The part id of a mail's whole source."""
LONGEST_NAME = 120
_BAD = re.compile(r'[\x00-\x1f\x7f-\x9f<>:"/\\|?*\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]')
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)
_PROGRAMS = (
    "|exe|com|bat|cmd|msi|msp|scr|pif|cpl|js|jse|vbs|vbe|wsf|wsh|ps1|psm1|hta|jar|reg|lnk|url|desktop|sh|bash|zsh|command|app|pkg"
    "|dmg|deb|rpm|appimage|apk|py|pyw|rb|pl|php|iso|img|vhd|vhdx|gadget|inf|scf|chm|application|xll|msc|msix|msixbundle|appx"
    "|appxbundle|appinstaller|appref-ms|jnlp|ws|wsc|sct|mst|settingcontent-ms|library-ms|search-ms|searchconnector-ms|diagcab"
    "|theme|themepack|website|run|flatpakref|snap|mpkg|terminal|workflow|scpt|scptd|applescript|tool|prefpane|fileloc|inetloc|"
)
"""Endings of files that do something when they are opened."""


class FileState(StrEnum):
    """`wanted` is asked for or under way, `here` stands on disk, `failed` waits for another try by the owner."""

    WANTED = "wanted"
    HERE = "here"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A part of a message on disk or on its way; `size` in bytes once it is there; `error` a code of `domain.errors`."""

    state: FileState
    path: Path
    size: int
    error: str


@dataclass(frozen=True, slots=True)
class FetchFile:
    """Bring a part of a message to disk (`SOURCE_PART`: its source); done already, nothing happens."""

    message_id: MessageId
    part_id: str


@dataclass(frozen=True, slots=True)
class Unsubscribe:
    """Tell the list's own server, by one request, that its mail is wanted no longer. Only at the owner's click."""

    message_id: MessageId


@dataclass(frozen=True, slots=True)
class FileChanged:
    """How far a file is: bytes on disk so far; `error` a code of `domain.errors` when it failed."""

    message_id: MessageId
    part_id: str
    state: FileState
    done_bytes: int
    error: str = ""


@dataclass(frozen=True, slots=True)
class Unsubscribed:
    """The list's server took the request."""

    message_id: MessageId
    host: str


@dataclass(frozen=True, slots=True)
class ReadInvitation:
    """What a mail's calendar part says; answered by `Invitation`."""

    message_id: MessageId


@dataclass(frozen=True, slots=True)
class Invitation:
    """An event as a mail tells it, all text ready to show; `start` and `end` are ISO 8601, for whole days the first and the last
    date alone. `method` is request, cancel, reply ..., `answer` what a reply says (accepted, declined, tentative ...); empty
    fields were not told."""

    method: str
    summary: str
    start: str
    end: str
    where: str
    organizer: str
    attendees: tuple[str, ...]
    status: str
    repeats: bool
    answer: str = ""


def safe_name(name: str, fallback: str = "file") -> str:
    """A file name from a sender's words, usable on Linux, macOS and Windows."""
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
    """Whether a file of this name would be run rather than shown: it may be saved, never opened from here."""
    return f"|{name.rpartition('.')[2].lower()}|" in _PROGRAMS


@dataclass(frozen=True, slots=True)
class ArtifactHandle:
    """A file of the app's own: `id` is what models and users name it by, `sha256` (hex) its content's digest, `size` in bytes."""

    id: str
    name: str
    sha256: str
    size: int
