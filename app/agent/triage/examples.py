"""The shipped examples: mails written for the program, each with its verdict, in YAML files.

Their vectors and features are cached in `examples.npz`, so that a start reads one file and embeds nothing.
"""

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from app.agent.retrieval import mail_text
from app.agent.triage.evidence import as_vector, gather
from app.config.paths import resource
from app.domain.errors import BadFile
from app.domain.ids import AccountId, GmailId, GmailThreadId, MessageId, ThreadId
from app.domain.mail.message import Account, Address, Message, SystemLabel
from app.domain.mail.triage import Category, Decision
from app.domain.ports.agents import Contact, Embedder

SEED_ACCOUNT = Account(AccountId(0), "owner@own.example", "Owner", ("owner@own.example",), "", "")
_AT = datetime(2024, 1, 1, tzinfo=UTC)
_MARK_HEADERS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "list": (("List-Unsubscribe", "<https://list.example/unsubscribe>"),),
    "id": (("List-Id", "<talk.list.example>"),),
    "bulk": (("Precedence", "bulk"),),
    "auto": (("Auto-Submitted", "auto-generated"),),
}


@dataclass(frozen=True, slots=True)
class Seed:
    """One example.

    `marks` are facts from headers or mailbox: list, id, bulk, auto, known, reply, cc, blind (the owner is not a recipient).
    """

    decision: Decision
    category: Category
    language: str
    subject: str
    body: str
    sender: Address
    marks: frozenset[str]

    @property
    def text(self) -> str:
        """The text that is embedded."""
        return mail_text(self.subject, self.body)


def load_seeds(folder: Path | None = None) -> tuple[Seed, ...]:
    """All seeds, by file name and order. Raises `BadFile`."""
    place = folder or resource("seeds")
    return tuple(seed for path in sorted(place.glob("*.yaml")) for seed in _read(path))


def digest(folder: Path | None = None) -> str:
    """The sha256 (hex) of all seed files, names and bytes."""
    total = hashlib.sha256()
    for path in sorted((folder or resource("seeds")).glob("*.yaml")):
        total.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return total.hexdigest()


def as_mail(seed: Seed) -> tuple[Message, tuple[Message, ...], Contact | None]:
    """The seed as a message, with its thread and the sender's contact card."""
    own = (SEED_ACCOUNT.email,)
    others = ("a@own.example", "b@own.example", "c@own.example") if "cc" in seed.marks else ()
    headers = tuple(pair for mark in sorted(seed.marks & _MARK_HEADERS.keys()) for pair in _MARK_HEADERS[mark])
    earlier = (_message(1, Address(own[0]), (seed.sender.email,), "", "", (), ""),) if "reply" in seed.marks else ()
    hidden = seed.marks & {"id", "blind"}
    recipients = ("talk@list.example",) if hidden else own + others
    mail = _message(2, seed.sender, recipients, seed.subject, seed.body, headers, "<1@seed>" if earlier else "")
    card = Contact(seed.sender, 3, 2, _AT) if "known" in seed.marks else None
    return mail, (*earlier, mail), card


def _read(path: Path) -> list[Seed]:
    try:
        groups = YAML(typ="safe", pure=True).load(path)
        return [_seed(group, mail) for group in groups for mail in group["mails"]]
    except YAMLError as error:
        raise BadFile(path.name, 0, f"This is not YAML: {error}", "Mend the file.") from error
    except (KeyError, TypeError, ValueError) as error:
        raise BadFile(path.name, 0, f"A group or a mail is incomplete: {error!r}.", "Compare it with others.") from error


def _seed(group: Mapping[str, str], mail: Mapping[str, str | list[str]]) -> Seed:
    name, _, email = str(mail.get("from", "Somebody <somebody@elsewhere.example>")).rstrip(">").rpartition("<")
    return Seed(
        Decision(group["decision"]),
        Category(group["category"]),
        group["language"],
        str(mail["subject"]),
        str(mail["body"]),
        Address(email.lower(), name.strip()),
        frozenset(mail.get("marks", ())),
    )


def _message(
    number: int,
    sender: Address,
    to: Sequence[str],
    subject: str,
    body: str,
    headers: tuple[tuple[str, str], ...],
    answers: str,
) -> Message:
    label = SystemLabel.SENT if sender.email == SEED_ACCOUNT.email else SystemLabel.INBOX
    return Message(
        id=MessageId(number), account_id=AccountId(0), thread_id=ThreadId(0),
        gmail_id=GmailId(""), gmail_thread_id=GmailThreadId(""),
        date=_AT.replace(day=number), sender=sender, to=tuple(Address(email) for email in to), cc=(), bcc=(), reply_to=(),
        subject=subject, snippet="", body_text=body, body_html="", rfc822_id=f"<{number}@seed>", in_reply_to=answers,
        references=(), headers=headers, labels=frozenset({label}), attachments=(),
    )  # fmt: skip


CACHE = "examples.npz"
_NO_DATE = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Examples:
    """`vectors` (n, dimension) of unit length, `features` (n, features), and n texts and verdicts."""

    vectors: NDArray[np.float64]
    features: NDArray[np.float64]
    texts: tuple[str, ...]
    verdicts: tuple[tuple[Decision, Category], ...]


def load_examples(embedder: Embedder, folder: Path | None = None) -> Examples:
    """Reads the cache, or computes the examples where it does not fit (some seconds). Raises `BadFile`."""
    place = folder or resource("seeds")
    return _cached(place / CACHE, _stamp(embedder, place)) or make(load_seeds(place), embedder)


def make(seeds: Sequence[Seed], embedder: Embedder) -> Examples:
    """Embeds the seeds and computes their features."""
    vectors = np.asarray(embedder.embed([seed.text for seed in seeds]), dtype=np.float64)
    features = np.asarray([_features(seed) for seed in seeds], dtype=np.float64)
    verdicts = tuple((seed.decision, seed.category) for seed in seeds)
    return Examples(vectors, features, tuple(seed.text for seed in seeds), verdicts)


def regenerate(embedder: Embedder, folder: Path | None = None) -> Path:
    """Writes the cache. The same seeds and code give the same bytes. For developers."""
    place = folder or resource("seeds")
    made = make(load_seeds(place), embedder)
    told = json.dumps({"texts": made.texts, "verdicts": made.verdicts}, ensure_ascii=False).encode()
    arrays: dict[str, NDArray[np.generic]] = {
        "vectors": made.vectors.astype(np.float16),
        "features": made.features.astype(np.float32),
        "told": np.frombuffer(told, dtype=np.uint8),
        "stamp": np.asarray([_stamp(embedder, place)]),
    }
    with zipfile.ZipFile(place / CACHE, "w") as archive:
        for name, values in arrays.items():
            buffer = io.BytesIO()
            np.save(buffer, values, allow_pickle=False)
            archive.writestr(zipfile.ZipInfo(f"{name}.npy", _NO_DATE), buffer.getvalue(), zipfile.ZIP_DEFLATED)
    return place / CACHE


def _features(seed: Seed) -> tuple[float, ...]:
    message, thread, contact = as_mail(seed)
    return as_vector(gather(message, thread, SEED_ACCOUNT, contact, seed.text))


def _stamp(embedder: Embedder, folder: Path) -> str:
    one_seed = Seed(Decision.IGNORE, Category.OTHER, "en", "", "", Address(SEED_ACCOUNT.email), frozenset())
    return f"{embedder.model_id}:{embedder.dimension}:{len(_features(one_seed))}:{digest(folder)}"


def _cached(path: Path, stamp: str) -> Examples | None:
    if not path.exists():
        return None
    with np.load(path, allow_pickle=False) as stored:
        if str(stored["stamp"][0]) != stamp:
            return None
        vectors: NDArray[np.float64] = stored["vectors"].astype(np.float64)
        features: NDArray[np.float64] = stored["features"].astype(np.float64)
        told = json.loads(stored["told"].tobytes())
    verdicts = tuple((Decision(one), Category(two)) for one, two in told["verdicts"])
    unit: NDArray[np.float64] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return Examples(unit, features, tuple(told["texts"]), verdicts)
