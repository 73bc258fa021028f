"""An id for this machine: a digest of the system's machine id, or a random number where the system has none (containers).

It stays the same over restarts and does not depend on network or hardware changes. The random number is in a file outside the
data folder. The file records its own inode and time of birth, so that a copied home folder gets a new number.
"""

import ctypes
import hashlib
import logging
import os
import secrets
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

import msgspec

log = logging.getLogger(__name__)

UNSET = "uninitialized"
"""Content of the file before a system's first start, the same on all machines."""

PLACES = (Path("/etc/machine-id"), Path("/var/lib/dbus/machine-id"))
SIZE = 32


def this_machine() -> str:
    """The digest as hexadecimal digits, empty where the system has no machine id."""
    read = {"win32": _of_windows, "darwin": _of_apple}.get(sys.platform, _of_unix)
    number = read().strip()
    return hashlib.sha256(f"replyroom {number}".encode()).hexdigest()[:SIZE] if number else ""


def _of_unix() -> str:
    for place in PLACES:
        with suppress(OSError, UnicodeDecodeError):
            number = place.read_text("ascii").strip()
            if number not in ("", UNSET):
                return number
    return ""


def _of_windows() -> str:
    """`MachineGuid`, created when Windows is installed."""
    if sys.platform == "win32":
        import winreg

        with suppress(OSError), winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, r"SOFTWARE\Microsoft\Cryptography") as key:
            return str(winreg.QueryValueEx(key, "MachineGuid")[0])
    return ""


def _of_apple() -> str:
    """`gethostuuid`, the hardware's UUID."""
    with suppress(OSError, AttributeError):
        found, wait = (ctypes.c_ubyte * 16)(), (ctypes.c_long * 2)(1, 0)
        if ctypes.CDLL(None).gethostuuid(found, wait) == 0:
            return bytes(found).hex()
    return ""


NAME = "machine"
BYTES = 16

AT_FDCWD, STATX_BTIME = -100, 0x800
STATX_SIZE, BORN_S, BORN_NS, BORN_END = 256, 0x50, 0x58, 0x5C


class Kept(msgspec.Struct, frozen=True):
    """The number, with the inode and time of birth of its file."""

    number: str
    node: int
    born_ns: int


def kept_number(folder: Path) -> str:
    """Reads the number in `folder`, or creates one. Empty where none can be stored."""
    path = folder / NAME
    if number := _read(path):
        return number
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=folder, prefix=NAME)
        part = Path(name)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(msgspec.json.encode(Kept(secrets.token_hex(BYTES), *_place(part))))
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)  # keeps inode and time of birth; of two engines that start at once, the last one's number stays
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        log.error("this machine gets no number: %s", error)
        return ""
    return _read(path)


def _read(path: Path) -> str:
    """The stored number; empty where there is none or its file was copied from elsewhere."""
    try:
        kept = msgspec.json.decode(path.read_bytes(), type=Kept)
        if (kept.node, kept.born_ns) == _place(path):
            return kept.number
        log.info("the number of this machine was copied here")
    except FileNotFoundError:
        pass
    except (OSError, msgspec.MsgspecError) as error:
        log.info("the number of this machine cannot be read: %s", type(error).__name__)
    return ""


def _place(path: Path) -> tuple[int, int]:
    """The file's inode and time of birth, which no copy has."""
    return path.stat().st_ino, _born_ns(path)


def _born_ns(path: Path) -> int:
    """The file's time of birth in nanoseconds, 0 where the file system does not record it."""
    if sys.platform != "linux":
        return int(getattr(path.stat(), "st_birthtime", 0) * 1_000_000_000)
    buffer = (ctypes.c_ubyte * STATX_SIZE)()
    try:
        failed = ctypes.CDLL(None).statx(AT_FDCWD, os.fsencode(path), 0, STATX_BTIME, buffer)
    except AttributeError:  # a C library older than 2018
        return 0
    data = bytes(buffer)
    if failed or not int.from_bytes(data[:4], sys.byteorder) & STATX_BTIME:
        return 0
    seconds = int.from_bytes(data[BORN_S:BORN_NS], sys.byteorder, signed=True)
    return seconds * 1_000_000_000 + int.from_bytes(data[BORN_NS:BORN_END], sys.byteorder)
