"""Requests that were handed over and that the store does not have yet: the engine may be down, or busy starting.

They are sent again after a crash, since asking twice is asking once.

What the owner wants of a request and the engine has not dealt with yet, and what it refused.
"""

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from uuid import uuid4

from app.domain.agents.requests import Request, RequestStatus
from app.domain.ids import AccountId, RequestId
from app.domain.ports.window import EngineLink
from app.domain.protocol.assistant_commands import (
    AskAssistant,
    ForgetRequest,
    PlanAgain,
    RecallRequest,
    RetryStep,
    RunPlan,
    StopRequest,
)
from app.domain.protocol.events import CommandFailed
from app.ui.i18n.error_messages import sentence
from app.ui.session.session_store import SavedPosition


class PendingRequests:
    """Newest last."""

    def __init__(self) -> None:
        self._open: dict[RequestId, tuple[AskAssistant, datetime]] = {}

    def add(self, account_id: AccountId, text: str, now: datetime) -> AskAssistant:
        """A new one, to be sent."""
        ask = AskAssistant(RequestId(str(uuid4())), account_id, text)
        self._open[ask.request_id] = (ask, now)
        return ask

    @property
    def ids(self) -> tuple[RequestId, ...]:
        """The newest first."""
        return tuple(reversed(self._open))

    def settle(self, there: Iterable[RequestId]) -> bool:
        """The store has these; whether one of them was to come."""
        known = [one for one in there if one in self._open]
        for one in known:
            del self._open[one]
        return bool(known)

    def refused(self) -> AskAssistant | None:
        """The oldest one: commands are dealt with in their order. It is dropped."""
        oldest = next(iter(self._open), None)
        return None if oldest is None else self._open.pop(oldest)[0]

    def requests(self, ids: Sequence[RequestId]) -> dict[RequestId, Request]:
        """Those of `ids` that are still to come, as they will look."""
        found = {}
        for one in ids:
            if one in self._open:
                ask, at = self._open[one]
                found[one] = Request(one, 0, ask.account_id, ask.text, RequestStatus.PLANNING, at, at)
        return found

    def place(self) -> SavedPosition:
        """For the next start."""
        return {key: json.dumps([ask.account_id, ask.text, at.timestamp()]) for key, (ask, at) in self._open.items()}

    def begin_at(self, place: SavedPosition) -> tuple[AskAssistant, ...]:
        """Those of before; what was written by somebody else is left out. To be sent again."""
        found = {RequestId(key): read for key, value in place.items() if (read := _read(RequestId(key), value)) is not None}
        self._open = {**found, **self._open}
        return tuple(ask for ask, _at in found.values())


def _read(request_id: RequestId, value: str | int) -> tuple[AskAssistant, datetime] | None:
    try:
        account, text, at = json.loads(str(value))
        return AskAssistant(request_id, AccountId(int(account)), str(text)), datetime.fromtimestamp(float(at), UTC)
    except (ValueError, TypeError, OverflowError, OSError, RecursionError):
        return None


Wish = RunPlan | PlanAgain | StopRequest | RetryStep | ForgetRequest | RecallRequest


class PendingRequestCommands:
    """One at a time for each request."""

    def __init__(self, link: EngineLink) -> None:
        self._link = link
        self._under_way: dict[RequestId, Wish] = {}
        self._refused: dict[RequestId, str] = {}

    def send(self, wish: Wish) -> None:
        """Ask the engine for it."""
        self._refused.pop(wish.request_id, None)
        self._under_way[wish.request_id] = wish
        self._link.send(wish)

    def under_way(self, request_id: RequestId) -> bool:
        """Whether something is wanted of it that was not done yet."""
        return request_id in self._under_way

    def refusal(self, request_id: RequestId) -> str:
        """Why the last wish was not done, empty if it was."""
        return self._refused.get(request_id, "")

    def forgotten(self, request_id: RequestId) -> bool:
        """Whether it is on its way out of the list."""
        return isinstance(self._under_way.get(request_id), ForgetRequest)

    def done(self, request_id: RequestId, gone: bool) -> None:
        """The request stands otherwise, or is `gone` from the list."""
        wish = self._under_way.get(request_id)
        if not isinstance(wish, RecallRequest if gone else ForgetRequest):
            self._under_way.pop(request_id, None)
        self._refused.pop(request_id, None)

    def expects(self, event: CommandFailed) -> RequestId | None:
        """Whose wish failed, None where it was nobody's."""
        return next((key for key, one in self._under_way.items() if type(one).__name__ == event.command), None)

    def failed(self, event: CommandFailed) -> RequestId | None:
        """Note why; whose wish it was."""
        key = self.expects(event)
        if key is not None:
            del self._under_way[key]
            self._refused[key] = sentence(event.code, event.detail, event.remedy)
        return key
