"""The sample mailbox is whole, and every name in it is fictional; mail from mbox files."""

import io
import re
from email import message_from_bytes
from email.header import decode_header, make_header
from email.message import Message
from functools import cache
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from app.sandbox.account import Identity
from app.sandbox.gmail.mailbox import Spool
from app.sandbox.samples.mail_files import load_mbox
from app.sandbox.world.world import SandboxState, build_world

SAMPLE = Path(__file__).resolve().parents[4] / "resources" / "sample"
# Every name that looks like an internet host must end in one of these.
RESERVED = re.compile(r"(^|\.)(example\.(com|org|net)|[a-z0-9-]+\.example|[a-z0-9-]+\.(test|invalid))$")
HOST = re.compile(
    r"(?:@|://|\bwww\.)([\w-]+(?:\.[\w-]+)+)"
    r"|\b([a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|net|cz|sk|de|eu|io|info|biz|fr|it|pl|at|jp|cn|uk))\b",
    re.IGNORECASE,
)


@cache
def mails() -> dict[str, Message]:
    entries = YAML(typ="safe").load((SAMPLE / "index.yaml").read_text(encoding="utf-8"))
    assert len({entry["file"] for entry in entries}) == len(entries)
    return {entry["file"]: message_from_bytes(raw(entry["file"])) for entry in entries}


def raw(file: str) -> bytes:
    return (SAMPLE / file).read_bytes()


def shown_text(message: Message) -> str:
    """Every header and every text part, decoded as well as the mail allows."""
    pieces = [str(make_header(decode_header(value))) for value in map(str, message.values()) if "x-nonsense" not in value]
    for part in message.walk():
        payload = part.get_payload(decode=True)
        if part.get_content_maintype() == "text" and isinstance(payload, bytes):
            pieces.append(payload.decode("utf-8", "replace"))
    return "\n".join(pieces)


def test_index_and_folder_name_the_same_files() -> None:
    on_disk = {f"mail/{path.name}" for path in (SAMPLE / "mail").iterdir()}
    assert on_disk == set(mails())


def test_every_address_and_link_is_reserved() -> None:
    texts = {file: shown_text(message) for file, message in mails().items()}
    texts |= {path.name: path.read_text(encoding="utf-8") for path in SAMPLE.glob("*.*ml")}
    for name, text in texts.items():
        for found in HOST.finditer(text):
            host = (found[1] or found[2]).lower().rstrip(".")
            assert RESERVED.search(host), f"{name}: {host}"


FIRST = (
    b"From: bob@x.example\nTo: me@x.example\nSubject: Bike\nMessage-ID: <1@x>\n"
    b"Date: Fri, 13 Mar 2026 10:00:00 +0100\n\nOne\n>From the start\n"
)
REPLY = b"From: me@x.example\nSubject: Re: Bike\nIn-Reply-To: <1@x>\nDate: Fri, 13 Mar 2026 11:00:00 +0100\n\nTwo\n"
RECEIVED = (
    b"Received: from a by b; Sat, 14 Mar 2026 09:00:00 +0000\n"
    b"Received: from c by d; Fri, 13 Mar 2026 01:00:00 +0000\nSubject: r\n\nThree\n"
)
BARE = b"Subject: nothing\n\nFour\n"


@pytest.fixture
def world() -> SandboxState:
    return build_world([Identity("me@x.example", "", primary=True)], [], "token", Spool(io.BytesIO()))


def _subjects(world: SandboxState) -> list[str]:
    return [row.facts.subject for row in world.owner.mailbox.newest_first()]


def _mbox(tmp_path: Path, *mails: bytes) -> Path:
    file = tmp_path / "mail.mbox"
    line = b"From someone Sun Mar 15 08:30:00 2026\n"
    file.write_bytes(b"\n".join(line + mail for mail in mails))
    return file


def test_mbox(world: SandboxState, tmp_path: Path) -> None:
    file = _mbox(tmp_path, REPLY, BARE, FIRST, RECEIVED)
    assert load_mbox(world.owner, world.office, file) == 4
    assert _subjects(world) == ["nothing", "r", "Re: Bike", "Bike"]
    mailbox = world.owner.mailbox
    bare, received, reply, first = mailbox.newest_first()
    assert mailbox.raw(first) == FIRST.replace(b">From", b"From")
    assert mailbox.raw(reply) == REPLY
    assert reply.thread_id == first.thread_id
    assert (first.labels, reply.labels) == ({"INBOX", "UNREAD"}, {"SENT"})
    assert received.internal_ms == 1_773_478_800_000
    assert bare.internal_ms == 1_773_563_400_000


def test_mbox_keeps_from_lines_inside_a_paragraph(world: SandboxState, tmp_path: Path) -> None:
    text = b"Subject: s\n\nline\nFrom here on it is text\n"
    assert load_mbox(world.owner, world.office, _mbox(tmp_path, text)) == 1
    assert b"From here on" in world.owner.mailbox.raw(next(world.owner.mailbox.newest_first()))
