"""Writing the settings file: comments stay, the result is checked first, the file is replaced whole or not at all."""

import json
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

import tomlkit

from app.config.settings import Settings, load, parse
from app.domain.errors import DiskFull, Refused


def change(path: Path, pairs: Iterable[tuple[str, str]]) -> Settings:
    """Set dotted keys to JSON values and return the new settings.

    Raises `BadFile` when the file on disk is broken (it is left alone) or a value is out of bounds, `Refused` for a key
    without a section or a value that is not JSON.
    """
    load(path)
    document = tomlkit.parse(path.read_text(encoding="utf-8")) if path.exists() else tomlkit.document()
    for key, value in pairs:
        section, _, name = key.partition(".")
        if not name:
            raise Refused(f"{key} is not a setting; it needs a section, such as sending.undo_s.")
        try:
            decoded = json.loads(value)
        except json.JSONDecodeError as error:
            raise Refused(f"The value for {key} is not JSON: {error}.") from error
        document.setdefault(section, tomlkit.table())[name] = decoded
    text = tomlkit.dumps(document)
    settings = parse(text, path)
    write_atomically(path, text)
    return settings


def write_atomically(path: Path, text: str) -> None:
    """Replace a file's text in one step, readable by its owner only. Raises `DiskFull`."""
    write_bytes_atomically(path, text.encode())


def write_bytes_atomically(path: Path, data: bytes) -> None:
    """Replace a file's contents in one step, readable by its owner only. Raises `DiskFull`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        raise DiskFull(f"{path.name} could not be written: {error.strerror}.", "Free some space and try again.") from error
    finally:
        temporary.unlink(missing_ok=True)
