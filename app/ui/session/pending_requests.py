"""Requests and commands that were sent and that the engine has not answered yet.

The engine may be down or starting. Requests are sent again after a crash; the engine ignores duplicates.
"""

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from app.domain.agents.requests import ALL_MAIL, MailScope, Request, RequestStatus
from app.domain.ids import AccountId, RequestId
from app.domain.ports.window import EngineLink
from app.domain.protocol.assistant_commands import (
    AskAssistant,
    ForgetRequest,
    PlanAgain,
    RecallRequest,
    RequestChanged,
    RetryStep,
    RunPlan,
    StopRequest,
)
from app.domain.protocol.events import CommandFailed
from app.domain.record import replace
from app.domain.wire import Event
from app.ui.i18n.error_messages import sentence
from app.ui.session.session_store import PageState

ASKED = "asked:"


class PendingRequests:
    """Requests that are not in the store yet, oldest first."""

    def __init__(self) -> None:
        self._pending: dict[RequestId, tuple[AskAssistant, datetime]] = {}

    def add(self, ask: AskAssistant, now: datetime) -> None:
        self._pending[ask.request_id] = (ask, now)

    @property
    def ids(self) -> tuple[RequestId, ...]:
        """Ids, newest first."""
        return tuple(reversed(self._pending))

    def settle(self, there: Iterable[RequestId]) -> bool:
        """Drops requests that are now in the store. Returns whether there were any."""
        known = [request_id for request_id in there if request_id in self._pending]
        for request_id in known:
            del self._pending[request_id]
        return bool(known)

    def refused(self) -> AskAssistant | None:
        """Drops and returns the oldest request. Commands are answered in order, so the oldest is the one that failed."""
        oldest = next(iter(self._pending), None)
        return None if oldest is None else self._pending.pop(oldest)[0]

    def requests(self, ids: Sequence[RequestId]) -> dict[RequestId, Request]:
        """Those of `ids` that are pending, shown as being planned."""
        found = {}
        for request_id in ids:
            if request_id in self._pending:
                ask, at = self._pending[request_id]
                shown = Request(request_id, 0, ask.account_id, ask.text, RequestStatus.PLANNING, at, at)
                found[request_id] = replace(shown, after=ask.after, scope=ask.scope)
        return found

    def save_state(self) -> PageState:
        def told(ask: AskAssistant, at: datetime) -> str:
            given = [str(one) for one in ask.files]
            return json.dumps([ask.account_id, ask.text, at.timestamp(), ask.after, scope_text(ask.scope), *given])

        return {f"{ASKED}{key}": told(ask, at) for key, (ask, at) in self._pending.items()}

    def restore_state(self, state: PageState) -> tuple[AskAssistant, ...]:
        """Restores requests and returns the commands to send again. Unreadable entries are left out."""
        asked = {RequestId(key.removeprefix(ASKED)): value for key, value in state.items() if key.startswith(ASKED)}
        found = {key: read for key, value in asked.items() if (read := _read(key, value)) is not None}
        self._pending = {**found, **self._pending}
        return tuple(ask for ask, _at in found.values())


def _read(request_id: RequestId, value: str | int) -> tuple[AskAssistant, datetime] | None:
    try:
        account, text, at, after, scope, *files = json.loads(str(value))
        given = tuple(Path(str(one)) for one in files)
        ask = AskAssistant(
            request_id, AccountId(int(account)), str(text), given, RequestId(str(after)), scope_in(scope) or ALL_MAIL
        )
        return ask, datetime.fromtimestamp(float(at), UTC)
    except (ValueError, TypeError, OverflowError, OSError, RecursionError):
        return None


def scope_text(scope: MailScope) -> str:
    return msgspec.json.encode(scope).decode()


def scope_in(stored: object) -> MailScope | None:
    """A stored scope; None if it cannot be read."""
    try:
        return msgspec.json.decode(str(stored or "{}"), type=MailScope)
    except msgspec.MsgspecError:
        return None


Wish = RunPlan | PlanAgain | StopRequest | RetryStep | ForgetRequest | RecallRequest


class PendingRequestCommands:
    """Pending commands, at most one for each request.

    Keeps why the last one failed.
    """

    def __init__(self, link: EngineLink) -> None:
        self._link = link
        self._under_way: dict[RequestId, Wish] = {}
        self._refused: dict[RequestId, str] = {}

    def send(self, command: Wish) -> None:
        self._refused.pop(command.request_id, None)
        self._under_way[command.request_id] = command
        self._link.send(command)

    def under_way(self, request_id: RequestId) -> bool:
        return request_id in self._under_way

    def error_of(self, request_id: RequestId) -> str:
        """Why the last command failed; empty if it did not."""
        return self._refused.get(request_id, "")

    def forgotten(self, request_id: RequestId) -> bool:
        return isinstance(self._under_way.get(request_id), ForgetRequest)

    def done(self, request_id: RequestId, gone: bool) -> None:
        """Ends a pending command after the request changed.

        With `gone` (removed from the list) a pending recall stays; without it a pending removal stays.
        """
        command = self._under_way.get(request_id)
        if not isinstance(command, RecallRequest if gone else ForgetRequest):
            self._under_way.pop(request_id, None)
        self._refused.pop(request_id, None)

    def expects(self, event: CommandFailed) -> RequestId | None:
        """Request whose pending command this failure belongs to, or None."""
        return next((key for key, command in self._under_way.items() if type(command).__name__ == event.command), None)

    def failed(self, event: CommandFailed) -> RequestId | None:
        """Notes why a command failed and returns its request, or None."""
        key = self.expects(event)
        if key is not None:
            del self._under_way[key]
            self._refused[key] = sentence(event.code, event.text)
        return key


class RequestSession:
    """What was asked and commanded in this window and has no answer yet: one for the Assistant page and the panel beside mail."""

    def __init__(self, link: EngineLink) -> None:
        self.asked, self.wishes = PendingRequests(), PendingRequestCommands(link)
        self._link = link
        self._heard: Event | None = None
        self.refusal: AskAssistant | None = None
        """The request that the last event refused."""

    def send(self, ask: AskAssistant, now: datetime) -> None:
        self.asked.add(ask, now)
        self._link.send(ask)

    def hear(self, event: Event) -> None:
        """Takes what an event settles. Each place that shows requests passes it on; it counts once."""
        if event is self._heard:
            return
        self._heard, self.refusal = event, None
        if isinstance(event, RequestChanged):
            self.wishes.done(event.request_id, gone=not event.status)
        elif isinstance(event, CommandFailed) and event.command == AskAssistant.__name__:
            self.refusal = self.asked.refused()
        elif isinstance(event, CommandFailed):
            self.wishes.failed(event)
