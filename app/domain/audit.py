"""What is kept of each tool call: what it was, what policy said, who agreed, what became of it. Hashes and codes, never mail."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from app.domain.ids import RunId
from app.domain.policy import Effect, Verdict, Why
from app.domain.review import FlagKind


class CallOutcome(StrEnum):
    """How a call ended so far."""

    WAITING = "waiting"
    RAN = "ran"
    FAILED = "failed"
    DENIED = "denied"


@dataclass(frozen=True, slots=True)
class CallAudit:
    """One call of one run, a `tool_audit` row. `arguments_hash` is the sha256 (hex) of tool and arguments as they were carried
    out; `approved_by` and `approved_at` are empty where nobody was asked."""

    run_id: RunId
    call_id: str
    tool: str
    effect: Effect | None
    arguments_hash: str
    verdict: Verdict
    why: Why
    flags: tuple[FlagKind, ...]
    outcome: CallOutcome
    at: datetime
    approved_by: str = ""
    approved_at: datetime | None = None
