"""Reads text files that the user may edit by hand. A byte order mark is accepted."""

from pathlib import Path

from app.domain.errors import BadFile


def read_text(path: Path) -> str:
    """The file's text, empty for a missing file. Raises `BadFile` where it cannot be read or is not UTF-8."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise BadFile(str(path), line, "The file is not UTF-8 text.", "Save it as UTF-8.") from error
    except OSError as error:
        remedy = "See that it is a file which you may read."
        raise BadFile(str(path), 0, f"The file cannot be read: {error.strerror}.", remedy) from error
