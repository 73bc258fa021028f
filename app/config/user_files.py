"""Reads text files that the user may edit by hand. A byte order mark is accepted."""

import errno
from pathlib import Path

from app.domain.error_texts import Cause
from app.domain.errors import BadFile

LARGEST_BYTES = 2_000_000


def read_text(path: Path) -> str:
    """The file's text, empty for a missing file. Raises `BadFile` where it cannot be read or is not UTF-8."""
    try:
        return plain_text(path)
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise BadFile(str(path), line, Cause.NOT_UTF8) from error
    except OSError as error:
        raise BadFile(str(path), 0, Cause.FILE_UNREADABLE, error.strerror) from error


def plain_text(path: Path) -> str:
    """The text of a regular file of at most `LARGEST_BYTES`. Raises `OSError` and `UnicodeDecodeError`.

    Folders, pipes and devices are rejected, since reading them could block.
    """
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "it isn't a regular file")
    with path.open("rb") as file:
        data = file.read(LARGEST_BYTES + 1)
    if len(data) > LARGEST_BYTES:
        raise OSError(errno.EFBIG, f"it is larger than {LARGEST_BYTES // 1_000_000} MB")
    return data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")


def deepest_line(text: str) -> int:
    """The line of a text that is nested too deep: the longest."""
    lines = text.splitlines() or [""]
    return lines.index(max(lines, key=len)) + 1
