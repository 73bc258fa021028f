"""Prompts from `resources/prompts`, filled by name, with untrusted text in fenced blocks.

A fence has a random delimiter per call, so that a mail cannot close its block. This is hygiene, not a control: code still checks
what a model answers.
"""

import json
import re
import secrets
from pathlib import Path
from string import Template

from app.agent.llm.turns import ChatMessage
from app.domain.mail.message import Message

FENCE_BYTES = 5
MAILS = "mails"
"""Key of a chat message that never leaves: ids and authors of the messages in it."""

MAIL_READERS = frozenset({"mail_search", "read_thread", "gmail_search"})
"""Tools whose results are messages."""
_AUTHOR = re.compile(r"From: (?:[^\n]*<)?([^\s<>]+)>?\n")


def prompt(folder: Path, name: str, **values: str) -> str:
    """`<name>.md` of `folder` with `$placeholders` filled; an empty value becomes `(none)`.

    Raises `KeyError` for a missing value, and `FileNotFoundError`.
    """
    text = (folder / f"{name}.md").read_text(encoding="utf-8")
    return Template(text).substitute({key: value.strip() or "(none)" for key, value in values.items()})


class Block(str):
    """A fenced text that may know whose message it is: ids and authors."""

    mails: tuple[tuple[int, str], ...] = ()


def fence(text: str, label: str, message: Message | None = None) -> Block:
    """Untrusted `text`, of `message` if it is one, between delimiters that it does not contain."""
    mark = secrets.token_hex(FENCE_BYTES)
    while mark in text:
        mark = secrets.token_hex(FENCE_BYTES)
    block = Block(f"<<<{label} {mark}\n{text}\n{mark}>>>")
    block.mails = ((message.id, message.sender.email.lower()),) if message is not None else ()
    return block


def mails_in(message: ChatMessage) -> list[tuple[int, str]]:
    """Ids and authors of the messages that a chat message carries: in blocks, or as the result of a tool."""
    if message.get("name") not in MAIL_READERS:
        return list(message.get(MAILS, ()))
    found = json.loads(message["content"]).get("messages", ())
    authors = ((one["id"], _AUTHOR.match(one["text"])) for one in found)
    return [(number, author[1].lower() if author else "") for number, author in authors]


def chat(system: str, *parts: str) -> list[ChatMessage]:
    """A system message and one user message made of `parts`, with the messages of their blocks for the list of what left."""
    mails = [one for part in parts if isinstance(part, Block) for one in part.mails]
    asked = {"role": "user", "content": "\n\n".join(part for part in parts if part)}
    return [{"role": "system", "content": system}, {**asked, MAILS: mails} if mails else asked]
