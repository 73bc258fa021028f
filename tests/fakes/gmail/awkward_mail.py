"""The awkward mails of tests/data/awkward and what each must look like once it is in the store."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from app.domain.mail.message import Message, RemoteMessage

FOLDER = Path(__file__).resolve().parents[2] / "data" / "awkward"


@dataclass(frozen=True)
class Expected:
    """Everything exactly: `name` is the sender's, `files` the names of the attachments in their order."""

    subject: str
    sender: str
    name: str
    text: str
    files: tuple[str, ...]

    def faults(self, found: Message | RemoteMessage) -> list[str]:
        """What is wrong with a mail, in words."""
        looks = {
            "subject": (found.subject, self.subject),
            "sender": (found.sender.email, self.sender),
            "sender's name": (found.sender.name, self.name),
            "text": (found.body_text, self.text),
            "files": (tuple(one.filename for one in found.attachments), self.files),
        }
        return [f"{what} {is_!r:.300}, not {wanted!r:.300}" for what, (is_, wanted) in looks.items() if is_ != wanted]


def awkward_names() -> list[str]:
    """The mails' names in order."""
    return sorted(path.stem for path in FOLDER.glob("*.eml"))


def awkward_bytes(name: str) -> bytes:
    """One of them."""
    return (FOLDER / f"{name}.eml").read_bytes()


@cache
def expectations(*, from_file: bool = False) -> dict[str, Expected]:
    """What each must look like when Gmail serves it, or read from an archive."""
    entries = YAML(typ="safe", pure=True).load((FOLDER / "expected.yaml").read_text("utf-8"))
    return {name: _expected(entry, from_file) for name, entry in entries.items()}


def _expected(entry: dict[str, Any], from_file: bool) -> Expected:
    text = entry["from_file"] if from_file and "from_file" in entry else entry["text"]
    if "repeated" in entry:
        words, times = entry["repeated"]
        text = text.format(words * times)
    return Expected(entry["subject"], entry["sender"], entry["name"], text, tuple(entry.get("files", ())))
