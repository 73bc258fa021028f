"""Logging: short on the console, detailed in one file per process. Logs hold ids; secrets and addresses are redacted.

Of an exception only the place and the class are logged, because its message may quote mail.
"""

import copy
import logging
import re
import sys
import traceback
from collections.abc import Iterator
from logging.handlers import RotatingFileHandler
from pathlib import Path

from app.domain.errors import ExpectedError

SECRETS = re.compile(
    r"(?i)((?:access_token|refresh_token|api[_-]?key|client_secret|authorization)[\"'=:\s]+(?:bearer\s+)?|bearer\s+)[^\s\"',&]+"
)
KEYS = re.compile(r"\b(?:sk-[A-Za-z0-9_-]{8,}|ya29\.[\w.-]+|AIza[\w-]{20,}|1//[\w-]{20,})")
ADDRESSES = re.compile(r"[\w.+%-]{1,320}@[\w-]{1,63}(?:\.[\w-]{1,63})+")


OF_CODE = (AttributeError, ImportError, NameError, TypeError)
"""Exceptions whose messages name modules, attributes and types, not values."""
OTHERS = ("httpx", "httpcore", "googleapiclient", "google_auth_httplib2", "chromadb", "urllib3")
QUOTING = ("LiteLLM", "mcp")
"""Libraries whose warnings quote requests and answers."""


def redact(text: str) -> str:
    """`text` without tokens, keys and mail addresses."""
    return ADDRESSES.sub("<address>", KEYS.sub("<key>", SECRETS.sub(r"\1<secret>", text)))


def traced(error: BaseException, told: frozenset[int] = frozenset()) -> Iterator[str]:
    """Lines of a traceback with all chained exceptions, oldest first, without their messages."""
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    told |= {id(error)}
    if before is not None and id(before) not in told:
        yield from traced(before, told)
        yield "After that:\n"
    yield "Traceback (most recent call last):\n"
    yield from traceback.format_tb(error.__traceback__)
    kind = type(error)
    name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    yield f"{name}: {words}\n" if (words := _words(error)) else f"{name}\n"
    for one in error.exceptions if isinstance(error, BaseExceptionGroup) else ():
        yield from traced(one, told)


def _words(error: BaseException) -> str:
    """What may be logged of an exception: its code, the system's error text, or a message about code."""
    if isinstance(error, ExpectedError):
        return error.code
    if isinstance(error, OSError):
        return error.strerror or ""
    return str(error) if isinstance(error, OF_CODE) else str(getattr(error, "sqlite_errorname", ""))


class RedactingFormatter(logging.Formatter):
    """Formats a record without exception messages and redacts the result."""

    def format(self, record: logging.LogRecord) -> str:
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            record = copy.copy(record)
            record.exc_text = "".join(traced(error)).rstrip()
        return redact(super().format(record))


def setup(folder: Path, process: str) -> None:
    """Sends the root logger to `folder/<process>.log` (5 files of 2 MB) and warnings to standard error."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = RotatingFileHandler(folder / f"{process}.log", maxBytes=2_000_000, backupCount=4, encoding="utf-8", delay=True)
    file.setFormatter(RedactingFormatter("%(asctime)s %(levelname)-7s %(name)s %(process)d %(message)s"))
    console = logging.StreamHandler(sys.stderr)
    console.setFormatter(RedactingFormatter(f"{process}: %(message)s"))
    console.setLevel(logging.WARNING)
    root = logging.getLogger()
    root.setLevel(logging.INFO)
    for handler in (file, console):
        root.addHandler(handler)
    for noisy in OTHERS:
        logging.getLogger(noisy).setLevel(logging.WARNING)
    for quoting in QUOTING:
        logging.getLogger(quoting).setLevel(logging.CRITICAL)


def empty(folder: Path) -> None:
    """Empties the current logs and deletes rotated ones. Programs that have a log open continue at its start."""
    for path in folder.glob("*.log*"):
        if path.suffix == ".log":
            with path.open("r+b") as file:
                file.truncate()
        else:
            path.unlink()
