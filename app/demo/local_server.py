"""Runs the sandbox as a child process and reads its mailbox back over HTTP.

Uses only the sandbox's command line and its HTTP interface.
"""

import base64
import json
import subprocess
import sys
from collections.abc import Mapping
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

import httpx
import msgspec

from app.domain.errors import BadFile, ServerError

ANSWER_LIMIT_S = 30.0


class SentMail(msgspec.Struct, frozen=True, rename="camel"):
    id: str
    thread_id: str
    in_reply_to: list[str]
    references: list[str]
    to: str
    subject: str
    text_sha256: str


class DumpedMail(msgspec.Struct, frozen=True, rename="camel"):
    """One message of the server's mailbox."""

    id: str
    thread_id: str
    label_ids: list[str] = []


class _Sent(msgspec.Struct):
    messages: list[SentMail]


class _Dump(msgspec.Struct):
    messages: list[DumpedMail]


class LocalServer:
    """A running sandbox. Ends with `close`, or when this process dies, because its standard input closes."""

    def __init__(self, source: list[str]) -> None:
        command = [sys.executable, *([] if getattr(sys, "frozen", False) else ["-m", "app"]), "sandbox", *source]
        self._process = subprocess.Popen(
            [*command, "--json", "--parent-pipe"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise BadFile(source[1] if len(source) > 1 else "sandbox", 0, self._error_output(), "Choose another file.")
        hello = json.loads(line)
        self.url: str = hello["url"]
        self.token: str = hello["token"]
        self.account: str = hello["account"]
        self.messages: int = hello["messages"]

    def environment(self) -> Mapping[str, str]:
        """Environment variables that point the engine's Google client to this server."""
        return {"REPLYROOM_GOOGLE_ENDPOINT": self.url, "REPLYROOM_GOOGLE_TOKEN": self.token}

    def sent(self) -> list[SentMail]:
        """All messages in SENT, oldest first."""
        return msgspec.convert(self._get("sent"), _Sent).messages

    def dump(self) -> list[DumpedMail]:
        return msgspec.convert(self._get("dump"), _Dump).messages

    def text_of(self, gmail_id: str) -> str:
        raw = base64.urlsafe_b64decode(self._get(f"raw?id={gmail_id}")["raw"])
        part = message_from_bytes(raw, policy=policy.default).get_body(("plain",))
        return part.get_content() if part is not None else ""

    def close(self) -> None:
        """Stops the server and waits for its end."""
        if self._process.poll() is None:
            self._process.terminate()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()

    def _get(self, path: str) -> dict[str, Any]:
        """Reads from the sandbox's admin interface."""
        try:
            answer = httpx.get(
                f"{self.url}/sandbox/{path}", headers={"Authorization": f"Bearer {self.token}"}, timeout=ANSWER_LIMIT_S
            )
            decoded: dict[str, Any] = answer.raise_for_status().json()
        except httpx.HTTPError as error:
            raise ServerError(f"The demo's server does not answer: {error}.") from error
        return decoded

    def _error_output(self) -> str:
        """The error output of a server that did not start."""
        _, stderr = self._process.communicate(timeout=10)
        return stderr.decode(errors="replace").strip() or "The demo's server did not start."


def source_arguments(sample: Path, mbox: Path | None, me: str) -> list[str]:
    """The sandbox's arguments: the sample mailbox, or an mbox file with its owner's address."""
    if mbox is None:
        return ["--sample", str(sample)]
    if not mbox.is_file():
        raise BadFile(str(mbox), 0, "There is no such file.", "Name an existing mbox file.")
    return ["--mbox", str(mbox), *(["--me", me] if me else [])]
