"""Which machine this is, as a digest that says nothing else: two of the same name differ, and one stays the same over restarts.

Refuses to guess from what changes with a network or a dock: where the system has no such number there is none.
"""

import ctypes
import hashlib
import sys
from contextlib import suppress
from pathlib import Path

PLACES = (Path("/etc/machine-id"), Path("/var/lib/dbus/machine-id"))
SIZE = 32


def this_machine() -> str:
    """Hexadecimal digits, empty where the system does not tell."""
    number = _number().strip()
    return hashlib.sha256(f"replyroom {number}".encode()).hexdigest()[:SIZE] if number else ""


def _number() -> str:
    if sys.platform == "win32":
        return _of_windows()
    return _of_apple() if sys.platform == "darwin" else _of_unix()


def _of_unix() -> str:
    for place in PLACES:
        with suppress(OSError, UnicodeDecodeError):
            return place.read_text("ascii")
    return ""


def _of_windows() -> str:
    """`MachineGuid`, made when Windows is installed."""
    if sys.platform == "win32":
        import winreg

        with suppress(OSError), winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, r"SOFTWARE\Microsoft\Cryptography") as key:
            return str(winreg.QueryValueEx(key, "MachineGuid")[0])
    return ""


def _of_apple() -> str:
    """`gethostuuid`: the hardware's UUID."""
    with suppress(OSError, AttributeError):
        found, wait = (ctypes.c_ubyte * 16)(), (ctypes.c_long * 2)(1, 0)
        if ctypes.CDLL(None).gethostuuid(found, wait) == 0:
            return bytes(found).hex()
    return ""
