"""The unusual mails of tests/data/awkward and what the store must contain of each."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from app.domain.mail.message import Message, RemoteMessage

FOLDER = Path(__file__).resolve().parents[2] / "data" / "awkward"


@dataclass(frozen=True)
class Expected:
    """The exact values. `name` is the sender's, `files` the names of the attachments in order."""

    subject: str
    sender: str
    name: str
    text: str
    files: tuple[str, ...]

    def faults(self, found: Message | RemoteMessage) -> list[str]:
        """The differences of a message, as text."""
        looks = {
            "subject": (found.subject, self.subject),
            "sender": (found.sender.email, self.sender),
            "sender's name": (found.sender.name, self.name),
            "text": (found.body_text, self.text),
            "files": (tuple(one.filename for one in found.attachments), self.files),
        }
        return [f"{what} {is_!r:.300}, not {wanted!r:.300}" for what, (is_, wanted) in looks.items() if is_ != wanted]


def awkward_names() -> list[str]:
    """The names of the mails in order."""
    return sorted(path.stem for path in FOLDER.glob("*.eml"))


def awkward_bytes(name: str) -> bytes:
    """The bytes of one mail."""
    return (FOLDER / f"{name}.eml").read_bytes()


@cache
def expectations(*, from_file: bool = False) -> dict[str, Expected]:
    """What each mail must contain when Gmail serves it or, with `from_file`, when it is read from an archive."""
    entries = YAML(typ="safe", pure=True).load((FOLDER / "expected.yaml").read_text("utf-8"))
    return {name: _expected(entry, from_file) for name, entry in entries.items()}


def _expected(entry: dict[str, Any], from_file: bool) -> Expected:
    text = entry["from_file"] if from_file and "from_file" in entry else entry["text"]
    if "repeated" in entry:
        words, times = entry["repeated"]
        text = text.format(words * times)
    return Expected(entry["subject"], entry["sender"], entry["name"], text, tuple(entry.get("files", ())))
