"""The folder that an archived mail lies in, from its file's: Maildir++, Apple Mail, Thunderbird, folders of files. Pure."""

import base64
import binascii
import re
from collections.abc import Sequence

_ENDINGS = re.compile(r"\.(?:mbox|mbx|sbd)\Z", re.IGNORECASE)
_SHIFTED = re.compile(r"&([A-Za-z0-9+,]*)-")
_APPLE = re.compile(r"[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}|Data|Messages|[0-9]")
"""Folders below a mailbox of Apple Mail's that are its own affair."""


def folder_of(parts: Sequence[str]) -> str:
    """The names of the folders around a mail, the outermost first, with slashes between; empty at the top. The name of an mbox
    file is the innermost. A Takeout's folders are no folders of mail."""
    if "Takeout" in parts[:2]:
        return ""
    names: list[str] = []
    apple = any(part.lower().endswith(".mbox") for part in parts[:-1])
    for part in parts:
        if part == "mbox" or (apple and _APPLE.fullmatch(part)):
            continue
        plain = _ENDINGS.sub("", part)
        names += [_imap(one) for one in plain[1:].split(".")] if plain.startswith(".") else [plain]
    named = [one.strip() for one in names if one.strip()]
    if len(named) > 1 and named[0].casefold() == "inbox":
        del named[0]
    return "/".join(named)


def _imap(name: str) -> str:
    """A name in IMAP's own UTF-7, as Maildir++ has it."""
    return _SHIFTED.sub(lambda found: _shifted(found[1]) if found[1] else "&", name)


def _shifted(letters: str) -> str:
    try:
        return base64.b64decode(letters.replace(",", "/") + "=" * (-len(letters) % 4)).decode("utf-16-be")
    except (binascii.Error, UnicodeDecodeError):
        return f"&{letters}-"
