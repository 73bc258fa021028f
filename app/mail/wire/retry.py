"""When a read is tried again, and after how long. Refuses to touch writes: they never come here."""

from dataclasses import dataclass

from app.domain.errors import ExpectedError, NotNow, QuotaReached, ServerTrouble


@dataclass(frozen=True, slots=True)
class Backoff:
    """Exponential pauses: `attempts` in all, pauses of `base_s` doubled up to `cap_s`, each shortened by chance."""

    attempts: int = 5
    base_s: float = 1.0
    cap_s: float = 32.0

    def again(self, error: ExpectedError, attempt: int) -> bool:
        """Whether the call may work if tried again after `attempt` tries (from 1). A server that asks for a long pause
        gets it from the caller, who can tell the user."""
        if attempt >= self.attempts:
            return False
        if isinstance(error, QuotaReached):
            return (error.retry_after_s or 0.0) <= 2 * self.cap_s
        return isinstance(error, ServerTrouble | NotNow)

    def pause_s(self, error: ExpectedError, attempt: int, chance: float) -> float:
        """Seconds to wait after `attempt` tries; `chance` in 0..1 spreads clients. Never less than the server asked for."""
        pause_s: float = min(self.base_s * 2.0 ** (attempt - 1), self.cap_s) * (0.5 + chance / 2)
        told_s = error.retry_after_s if isinstance(error, QuotaReached) else None
        return max(pause_s, told_s or 0.0)
