"""What leaves this computer with a call: numbers that stay here are masked, and bytes are counted as HTTP sends them.

Codes, keys, card and account numbers are replaced by marks in everything a model gets, and put back in what it answers.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from app.agent.llm.turns import ChatMessage
from app.domain.language.one_time_code import CODE_BEFORE, CODE_BELOW
from app.domain.policy.red_flags import CODE, KEY, valid_iban

_PRIVATE_KEY = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.DOTALL)
_IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]){11,30}(?![A-Z0-9])", re.IGNORECASE)
_CARD = re.compile(r"(?<!\w)\d(?:[ .\-]?\d){12,18}(?!\w)")
_ACCOUNT = re.compile(r"(?<![\w/])(?:\d{1,6}-)?\d{6,10}/\d{4}(?!\w)")
_NAMED_ACCOUNT = re.compile(r"(?:account|acct|konto|účet|účtu|iban)\b[^\d\n]{0,20}(\d[\d \-]{4,20}\d)", re.IGNORECASE)
_MARK = re.compile(r"(?:KEY|CARD|ACCOUNT|CODE)-(\d+)-HIDDEN", re.IGNORECASE)

LEAST_DIGITS = 10
"""Digits of something that looks like an IBAN with a wrong checksum."""
EXPLAINED = "Marks such as CODE-1-HIDDEN stand for numbers that you are not shown. Write them as they are."


def _ibans(text: str) -> Iterator[str]:
    """IBANs without the words behind them; one with a wrong checksum to its last digit."""
    for found in _IBAN.finditer(text):
        whole = found.group()
        ends = [end for end in range(len(whole), 14, -1) if whole[end - 1].isalnum()]
        valid = next((end for end in ends if valid_iban(whole[:end].replace("-", " ").upper())), 0)
        if valid or sum(map(str.isdigit, whole)) >= LEAST_DIGITS:
            yield whole[:valid] if valid else re.sub(r"\D+\Z", "", whole)


_FINDERS: tuple[tuple[str, Callable[[str], Iterator[str]]], ...] = (
    ("KEY", lambda text: (one.group() for pattern in (_PRIVATE_KEY, KEY) for one in pattern.finditer(text))),
    ("ACCOUNT", _ibans),
    ("CARD", lambda text: (one.group() for one in _CARD.finditer(text))),
    ("ACCOUNT", lambda text: (one.group() for one in _ACCOUNT.finditer(text))),
    ("ACCOUNT", lambda text: (one.group(1) for one in _NAMED_ACCOUNT.finditer(text))),
    ("CODE", lambda text: (one.group(1) for pattern in (CODE, CODE_BELOW, CODE_BEFORE) for one in pattern.finditer(text))),
)


class Masks:
    def __init__(self, messages: Sequence[ChatMessage]) -> None:
        texts = list(_texts(messages))
        taken = [int(found[1]) for text in texts for found in _MARK.finditer(text)]
        number = max(taken, default=0)
        self._marks: dict[str, str] = {}
        texts = [_MARK.sub(" ", text) for text in texts]
        for kind, finder in _FINDERS:
            for secret in (one for text in texts for one in finder(text)):
                if secret not in self._marks:
                    number += 1
                    self._marks[secret] = f"{kind}-{number}-HIDDEN"
        longest_first = sorted(self._marks, key=len, reverse=True)
        self._secrets = re.compile("|".join(map(re.escape, longest_first))) if longest_first else None
        self._hidden = {mark: secret for secret, mark in self._marks.items()}

    def hide(self, messages: Sequence[ChatMessage]) -> list[ChatMessage]:
        """The messages with marks, and with a word about them where there are any."""
        secrets = self._secrets
        if secrets is None:
            return list(messages)
        hidden = [_changed(one, lambda text: secrets.sub(lambda found: self._marks[found.group()], text)) for one in messages]
        first = hidden[0]
        if first.get("role") == "system" and isinstance(first["content"], str):
            hidden[0] = {**first, "content": f"{first['content']}\n\n{EXPLAINED}"}
        return hidden

    def show(self, value: Any) -> Any:
        """A text, or a value made of texts, with every mark of this call put back."""
        secret = self._hidden.get
        return (
            _changed(value, lambda text: _MARK.sub(lambda one: secret(one[0].upper(), one[0]), text)) if self._hidden else value
        )

    def show_in(self, message: Any) -> None:
        """Puts the numbers back in litellm's message."""
        if not self._hidden:
            return
        message.content = self.show(message.content)
        if getattr(message, "reasoning_content", None):
            message.reasoning_content = self.show(message.reasoning_content)
        for call in message.tool_calls or ():
            call.function.arguments = self.show(call.function.arguments)


def _texts(value: Any) -> Iterator[str]:
    """Every text within a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _texts(one)


def _changed(value: Any, change: Callable[[str], str]) -> Any:
    """The value with every text in it changed."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {key: _changed(one, change) for key, one in value.items()}
    return [_changed(one, change) for one in value] if isinstance(value, list | tuple) else value


@dataclass
class Traffic:
    """The HTTP requests of one call, as they left, and their answers."""

    host: str = ""
    sent: list[bytes] = field(default_factory=list)
    answers: list[Any] = field(default_factory=list)

    @property
    def sent_bytes(self) -> int:
        return sum(map(len, self.sent))

    @property
    def got_bytes(self) -> int:
        return sum(one.num_bytes_downloaded for one in self.answers)

    @property
    def digest(self) -> str:
        """SHA-256 of everything that was sent, empty where nothing was."""
        return sha256(b"".join(self.sent)).hexdigest() if self.sent else ""


_TRAFFIC: ContextVar[Traffic | None] = ContextVar("traffic", default=None)


@contextmanager
def measured() -> Iterator[Traffic]:
    """Measures the requests that are made meanwhile by this task and what it starts."""
    traffic = Traffic()
    token = _TRAFFIC.set(traffic)
    try:
        yield traffic
    finally:
        _TRAFFIC.reset(token)


def measure_httpx() -> None:
    """Lets httpx note what it sends for litellm, which itself knows only what it means to send."""
    import httpx

    if getattr(httpx.AsyncClient, "measured", False):
        return
    plain, plain_now = httpx.AsyncClient.send, httpx.Client.send
    unsent = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.UnsupportedProtocol)

    @contextmanager
    def noted(request: Any) -> Iterator[list[Any]]:
        """Counts a request that leaves. Gives the list of answers."""
        traffic = _TRAFFIC.get() or Traffic()
        traffic.host = request.url.netloc.decode()
        traffic.sent.append(request.content)
        try:
            yield traffic.answers
        except unsent:
            traffic.sent.remove(request.content)
            raise

    async def send(client: Any, request: Any, **how: Any) -> Any:
        if _TRAFFIC.get() is None:
            return await plain(client, request, **how)
        with noted(request) as answers:
            answers.append(response := await plain(client, request, **how))
        return response

    def send_now(client: Any, request: Any, **how: Any) -> Any:
        if _TRAFFIC.get() is None:
            return plain_now(client, request, **how)
        with noted(request) as answers:
            answers.append(response := plain_now(client, request, **how))
        return response

    for kind, name, how in (
        (httpx.AsyncClient, "send", send),
        (httpx.Client, "send", send_now),
        (httpx.AsyncClient, "measured", True),
    ):
        setattr(kind, name, how)
