"""Requests that were handed over and that the store does not have yet: the engine may be down, or busy starting.

They are sent again after a crash, since asking twice is asking once. Refuses to drop one that is neither stored nor refused.
"""

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from uuid import uuid4

from app.domain.assistant import Request, RequestStatus
from app.domain.assistant_commands import Ask
from app.domain.ids import AccountId, RequestId
from app.ui.whereabouts import Spot


class Asked:
    """Newest last."""

    def __init__(self) -> None:
        self._open: dict[RequestId, tuple[Ask, datetime]] = {}

    def add(self, account_id: AccountId, text: str, now: datetime) -> Ask:
        """A new one, to be sent."""
        ask = Ask(RequestId(str(uuid4())), account_id, text)
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

    def refused(self) -> Ask | None:
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

    def place(self) -> Spot:
        """For the next start."""
        return {key: json.dumps([ask.account_id, ask.text, at.timestamp()]) for key, (ask, at) in self._open.items()}

    def begin_at(self, place: Spot) -> tuple[Ask, ...]:
        """Those of before; what was written by somebody else is left out. To be sent again."""
        found = {RequestId(key): read for key, value in place.items() if (read := _read(RequestId(key), value)) is not None}
        self._open = {**found, **self._open}
        return tuple(ask for ask, _at in found.values())


def _read(request_id: RequestId, value: str | int) -> tuple[Ask, datetime] | None:
    try:
        account, text, at = json.loads(str(value))
        return Ask(request_id, AccountId(int(account)), str(text)), datetime.fromtimestamp(float(at), UTC)
    except (ValueError, TypeError, OverflowError, OSError, RecursionError):
        return None
