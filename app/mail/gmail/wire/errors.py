"""Converts unsuccessful HTTP answers of Google to the errors of `app.domain.errors`.

The `reason` decides, not only the status: 403 may mean a used-up quota or a missing permission.
"""

from collections.abc import Mapping
from datetime import UTC, datetime

import msgspec

from app.domain.errors import (
    ApiOff,
    ExpectedError,
    Intercepted,
    LoginNeeded,
    NotFound,
    PermissionMissing,
    PolicyForbids,
    QuotaReached,
    RejectedByServer,
    ServerError,
    TemporarilyRejected,
)
from app.domain.record import Record
from app.mail.parse import written_of

LONGEST_WAIT_S = 3600.0
DAILY_WAIT_S = 1800.0
"""Seconds to wait for the daily quota, which resets at midnight in California. No header tells how long that is."""
RATE_REASONS = frozenset(
    {"ratelimitexceeded", "userratelimitexceeded", "quotaexceeded", "resource_exhausted", "rate_limit_exceeded"}
)
DAILY_REASONS = frozenset({"dailylimitexceeded", "dailylimitexceededunreg"})
API_OFF_REASONS = frozenset({"accessnotconfigured", "service_disabled"})
POLICY_REASONS = frozenset({"domainpolicy", "admin_policy_enforced"})
BY_STATUS: Mapping[int, type[ExpectedError]] = {401: LoginNeeded, 404: NotFound, 410: NotFound, 408: ServerError}


class HttpAnswer(Record):
    """An HTTP answer. Header names are lower-case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def ok(self) -> bool:
        return 200 <= self.status < 300


class _Entry(msgspec.Struct):
    reason: str = ""


class _Error(msgspec.Struct):
    message: str = ""
    status: str = ""
    errors: list[_Entry] = []
    details: list[_Entry] = []


class _Envelope(msgspec.Struct):
    error: _Error


def stranger_in(answer: HttpAnswer) -> Intercepted | None:
    """Returns `Intercepted` if a captive portal answered instead of Google."""
    redirected = 300 <= answer.status < 400 or answer.status == 511
    # Google's own 204 is empty but may still be labelled HTML.
    has_body = answer.ok and answer.status != 204
    page = has_body and answer.headers.get("content-type", "").strip().lower().startswith("text/html")
    return portal() if redirected or page else None


def portal() -> Intercepted:
    """The error for a network that requires a sign-in in the browser."""
    remedy = "Open any page in the browser: the network may want a sign-in."
    return Intercepted("A web page came instead of Google's answer.", remedy)


def failure_of(answer: HttpAnswer) -> ExpectedError:
    """Returns the error for an unsuccessful answer. `detail` is the server's message with its reason."""
    error = _error_in(answer.body)
    reasons = [entry.reason for entry in (*error.errors, *error.details) if entry.reason]
    detail = f"{answer.status} {error.message or error.status}".strip()[:300]
    if reasons:
        detail = f"{detail} ({reasons[0]})"
    named = {reason.lower() for reason in (*reasons, error.status)}
    if answer.status == 403 and named & DAILY_REASONS:
        return QuotaReached(detail, retry_after_s(answer.headers) or DAILY_WAIT_S)
    if answer.status == 429 or (answer.status == 403 and named & RATE_REASONS):
        return QuotaReached(detail, retry_after_s(answer.headers))
    if answer.status in {400, 412} and "failedprecondition" in {name.replace("_", "") for name in named}:
        return TemporarilyRejected(detail)
    if answer.status == 403:
        kinds = ((API_OFF_REASONS, ApiOff), (POLICY_REASONS, PolicyForbids))
        return next((kind(detail) for reasons, kind in kinds if named & reasons), PermissionMissing(detail))
    usual = RejectedByServer if 400 <= answer.status < 500 else ServerError
    return BY_STATUS.get(answer.status, usual)(detail)


def _error_in(body: bytes) -> _Error:
    """Google's error object. Empty if the answer has none (a proxy's page, a cut answer)."""
    try:
        return msgspec.json.decode(body, type=_Envelope).error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _Error()


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Seconds that `Retry-After` asks for, at most an hour.

    The header holds a number, or a date that is compared with the answer's own `Date`.
    """
    value = headers.get("retry-after", "").strip()
    if not value:
        return None
    if value.isdecimal():
        return min(float(value[:9]), LONGEST_WAIT_S)
    until, sent = written_of(value), written_of(headers.get("date", ""))
    if until is None:
        return None
    wait_s = (until - (sent or datetime.now(UTC))).total_seconds()
    return min(max(wait_s, 0.0), LONGEST_WAIT_S)
