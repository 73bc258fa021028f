"""Logs: short on the console, precise in a file per process. Ids only; secrets and addresses are struck out on the way."""

import logging
import re
import sys
from logging.handlers import RotatingFileHandler
from pathlib import Path

SECRETS = re.compile(
    r"(?i)((?:access_token|refresh_token|api[_-]?key|client_secret|authorization)[\"'=:\s]+(?:bearer\s+)?|bearer\s+)[^\s\"',&]+"
)
KEYS = re.compile(r"\b(?:sk-[A-Za-z0-9_-]{8,}|ya29\.[\w.-]+|AIza[\w-]{20,}|1//[\w-]{20,})")
ADDRESSES = re.compile(r"[\w.+%-]{1,320}@[\w-]{1,63}(?:\.[\w-]{1,63})+")


def redact(text: str) -> str:
    """`text` without tokens, keys and mail addresses."""
    return ADDRESSES.sub("<address>", KEYS.sub("<key>", SECRETS.sub(r"\1<secret>", text)))


class RedactingFormatter(logging.Formatter):
    """Formats as usual, tracebacks included, then strikes out what must not be kept."""

    def format(self, record: logging.LogRecord) -> str:
        """The finished line, redacted."""
        return redact(super().format(record))


def setup(folder: Path, process: str, verbose: bool = False) -> None:
    """Send the root logger to `folder/<process>.log` (5 files of 2 MB) and warnings to standard error."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = RotatingFileHandler(folder / f"{process}.log", maxBytes=2_000_000, backupCount=4, encoding="utf-8", delay=True)
    file.setFormatter(RedactingFormatter("%(asctime)s %(levelname)-7s %(name)s %(process)d %(message)s"))
    console = logging.StreamHandler(sys.stderr)
    console.setFormatter(RedactingFormatter(f"{process}: %(message)s"))
    console.setLevel(logging.INFO if verbose else logging.WARNING)
    root = logging.getLogger()
    root.setLevel(logging.INFO)
    for handler in (file, console):
        root.addHandler(handler)
    for noisy in ("httpx", "httpcore", "googleapiclient", "google_auth_httplib2", "chromadb", "LiteLLM", "urllib3"):
        logging.getLogger(noisy).setLevel(logging.WARNING)


def empty(folder: Path) -> None:
    """Forget everything that was logged; programs that have a log open go on at its new beginning."""
    for path in folder.glob("*.log*"):
        if path.suffix == ".log":
            with path.open("r+b") as file:
                file.truncate()
        else:
            path.unlink()
