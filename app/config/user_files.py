"""Reads text files that the user may edit by hand. A byte order mark is accepted."""

from pathlib import Path

from app.domain.error_texts import Cause
from app.domain.errors import BadFile


def read_text(path: Path) -> str:
    """The file's text, empty for a missing file. Raises `BadFile` where it cannot be read or is not UTF-8."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise BadFile(str(path), line, Cause.NOT_UTF8) from error
    except OSError as error:
        raise BadFile(str(path), 0, Cause.FILE_UNREADABLE, error.strerror) from error
