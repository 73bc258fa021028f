"""The awkward mails of tests/data/awkward and what each must look like once it is in the store."""

from dataclasses import dataclass
from pathlib import Path

from ruamel.yaml import YAML

from app.domain.mail import Message, RemoteMessage

FOLDER = Path(__file__).resolve().parents[1] / "data" / "awkward"


@dataclass(frozen=True)
class Expected:
    """`subject` that begins with ~ must only contain the rest; `name` is None where it does not matter."""

    subject: str
    sender: str
    name: str | None
    text: tuple[str, ...]
    absent: tuple[str, ...]
    files: tuple[str, ...]

    def faults(self, found: Message | RemoteMessage) -> list[str]:
        """What is wrong with a mail, in words."""
        wrong = []
        fits = self.subject[1:] in found.subject if self.subject.startswith("~") else found.subject == self.subject
        if not fits:
            wrong.append(f"subject {found.subject!r}, not {self.subject!r}")
        if found.sender.email != self.sender:
            wrong.append(f"sender {found.sender.email!r}, not {self.sender!r}")
        if self.name is not None and found.sender.name != self.name:
            wrong.append(f"sender's name {found.sender.name!r}, not {self.name!r}")
        wrong += [f"{words!r} is missing in {found.body_text[:200]!r}" for words in self.text if words not in found.body_text]
        text = found.body_text
        wrong += [f"{words!r} should not be there: {text[:200]!r}" for words in self.absent if words in text]
        names = tuple(one.filename for one in found.attachments)
        if names != self.files:
            wrong.append(f"files {names}, not {self.files}")
        return wrong


def awkward_names() -> list[str]:
    """The mails' names in order."""
    return sorted(path.stem for path in FOLDER.glob("*.eml"))


def awkward_bytes(name: str) -> bytes:
    """One of them."""
    return (FOLDER / f"{name}.eml").read_bytes()


def expectations() -> dict[str, Expected]:
    """What each must look like."""
    entries = YAML(typ="safe", pure=True).load((FOLDER / "expected.yaml").read_text("utf-8"))
    return {name: _expected(entry) for name, entry in entries.items()}


def _expected(entry: dict[str, object]) -> Expected:
    def words(key: str) -> tuple[str, ...]:
        found = entry.get(key, [])
        assert isinstance(found, list)
        return tuple(map(str, found))

    name = entry.get("name")
    return Expected(
        str(entry.get("subject", "")),
        str(entry.get("sender", "")),
        None if name is None else str(name),
        words("text"),
        words("absent"),
        words("files"),
    )
