"""How the account's server answers, told when it changes, and how long to rest after trouble."""

import logging
import time

from app.domain.errors import ExpectedError, Intercepted, LoginNeeded, PermissionMissing, QuotaReached, RejectedByServer
from app.domain.events import ConnectionChanged, ConnectionState, Trouble
from app.domain.ids import AccountId
from app.engine.announcer import Announcer
from app.engine.patience import doubled_s

log = logging.getLogger(__name__)

FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 60.0
QUOTA_PAUSE_S = 15.0
REFUSED_PAUSE_S = 300.0
"""Until the user or an administrator has done something."""


class Health:
    """The connection of one account. The first success is told too."""

    def __init__(self, account_id: AccountId, announcer: Announcer) -> None:
        self._account_id = account_id
        self._announcer = announcer
        self._state: ConnectionState | None = None
        self._failures = 0
        self._refusal = ""

    def worked(self) -> None:
        """The server answered."""
        self._failures = 0
        self._refusal = ""
        self._change(ConnectionState.ONLINE, "")

    def met(self, error: ExpectedError) -> float:
        """What came instead of an answer; seconds to rest. A refusal that only a human can end is told once, in words."""
        if isinstance(error, QuotaReached):
            return self.failed(ConnectionState.QUOTA, error, error.retry_after_s or QUOTA_PAUSE_S)
        if isinstance(error, LoginNeeded):
            return self.failed(ConnectionState.LOGIN_NEEDED, error, REFUSED_PAUSE_S)
        if not isinstance(error, PermissionMissing | RejectedByServer):
            return self.failed(ConnectionState.OFFLINE, error)
        if error.code != self._refusal:
            self._refusal = error.code
            self._announcer.tell(Trouble(error.code, error.detail, error.remedy))
        return REFUSED_PAUSE_S

    def failed(self, state: ConnectionState, error: ExpectedError, pause_s: float | None = None) -> float:
        """The server did not; seconds to rest: as given, else growing with each failure."""
        self._failures += 1
        if isinstance(error, Intercepted) and state is not self._state:
            self._announcer.tell(Trouble(error.code, error.detail, error.remedy))
        self._change(state, error.detail)
        if pause_s is not None:
            return pause_s
        return doubled_s(FIRST_PAUSE_S, self._failures, LONGEST_PAUSE_S)

    def _change(self, state: ConnectionState, detail: str) -> None:
        if state is self._state:
            return
        self._state = state
        log.info("account %d is %s: %s", self._account_id, state, detail)
        self._announcer.tell(ConnectionChanged(self._account_id, state, int(time.time() * 1000), detail))
