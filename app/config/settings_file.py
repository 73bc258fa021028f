"""Writes the settings file: comments stay, the result is checked first, and the file is replaced atomically."""

import errno
import json
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

import tomlkit

from app.config.settings import Settings, load, parse
from app.config.user_files import read_text
from app.domain.errors import DiskFull, NotAllowed

NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


def change(path: Path, pairs: Iterable[tuple[str, str]]) -> Settings:
    """Sets dotted keys to JSON values and returns the new settings.

    Raises `BadFile` where the file on disk is broken (it is not touched) or a value is out of bounds, `NotAllowed` for a key
    without a section or a value that TOML cannot hold, and as `write_atomically` does.
    """
    load(path)
    document = tomlkit.parse(read_text(path))
    for key, value in pairs:
        section, _, name = key.partition(".")
        if not name:
            raise NotAllowed(f"{key} is not a setting; it needs a section, such as sending.undo_s.")
        try:
            document.setdefault(section, tomlkit.table())[name] = tomlkit.item(json.loads(value))
        except (ValueError, TypeError, RecursionError) as error:
            raise NotAllowed(f"The value for {key} is not JSON that a setting can hold: {type(error).__name__}.") from error
    text = tomlkit.dumps(document)
    settings = parse(text, path)
    write_atomically(path, text)
    return settings


def write_atomically(path: Path, text: str) -> None:
    """Replaces a file's text in one step, readable by its owner only.

    Raises `DiskFull`, and `NotAllowed` where the text has lone surrogates or the file cannot be written.
    """
    try:
        data = text.encode()
    except UnicodeEncodeError as error:
        raise NotAllowed(f"{path.name} was not written: the text has an odd character.", "Take it out and try again.") from error
    write_bytes_atomically(path, data)


def write_bytes_atomically(path: Path, data: bytes) -> None:
    """Replaces a file's contents in one step, readable by its owner only.

    Raises `DiskFull`, and `NotAllowed` where the file cannot be written.
    """
    temporary: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
        temporary = Path(name)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        raise unwritten(path, error) from error
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


def unwritten(path: Path, error: OSError) -> DiskFull | NotAllowed:
    """The error for a failed write: `DiskFull`, or `NotAllowed` with another remedy. Returned, not raised."""
    told = f"{path.name} could not be written: {error.strerror}."
    if error.errno in NO_ROOM:
        return DiskFull(told, "Free some space and try again.")
    return NotAllowed(told, f"See that you may write in {path.parent}, and that no other program holds the file.")
