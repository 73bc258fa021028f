"""Injected faults: rules that make chosen requests fail. Without rules nothing fails."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from app.sandbox.google_api.errors import (
    ApiError,
    api_off,
    insufficient_scopes,
    invalid_argument,
    not_found,
    rate_limited,
    unauthenticated,
)
from app.sandbox.google_api.json_values import JsonObject, int_of, number_of, text_of

KINDS = (
    "429", "403-rate", "403-user-rate", "403-permission", "400-precondition", "401", "500", "502", "503", "404-history",
    "truncate", "cut", "slow", "double",
    "403-daily", "403-domain", "403-api-off", "400-token",
)  # fmt: skip
AFTER_ONLY = frozenset({"truncate", "double"})
KNOWN = frozenset({"method", "place", "kind", "when", "nth", "times", "probability", "seed", "seconds", "about"})


@dataclass(slots=True)
class FaultRule:
    """A fault rule.

    `method` is a pattern over method ids, `place` is any, inner (in a batch) or outer, `when` is before or after the commit. It
    fires from the `nth` matching request on, at most `times` times (0: always), with `probability`. With `about` it matches only
    requests whose path or body contains that text.
    """

    id: str
    method: str
    kind: str
    place: str = "any"
    when: str = "before"
    nth: int = 1
    times: int = 1
    probability: float = 1.0
    seed: int = 1
    seconds: float = 1.0
    about: str = ""
    seen: int = 0
    fired: int = 0

    def fires(self, method_id: str, inner: bool, names: Callable[[str], bool] = lambda _: True) -> bool:
        """Counts a matching request and returns whether it fails. `names(text)` tells whether the request contains a text."""
        if self.place not in {"any", "inner" if inner else "outer"} or not fnmatchcase(method_id, self.method):
            return False
        if not names(self.about):
            return False
        self.seen += 1
        if self.seen < self.nth or (self.times and self.fired >= self.times):
            return False
        digest = hashlib.sha256(f"{self.seed}/{self.seen}".encode()).digest()
        if int.from_bytes(digest[:8], "big") / 2**64 >= self.probability:
            return False
        self.fired += 1
        return True

    def error(self) -> ApiError | None:
        """The error of this kind; None for kinds that are no error answer."""
        plain = {
            "429": rate_limited(429),
            "403-rate": rate_limited(),
            "403-user-rate": rate_limited(403, "userRateLimitExceeded"),
            "403-permission": insufficient_scopes(self.method),
            "400-precondition": ApiError(400, "Precondition check failed.", "failedPrecondition"),
            "401": unauthenticated(),
            "500": ApiError(500, "Internal error encountered.", "backendError"),
            "502": ApiError(502, "Bad Gateway", "backendError"),
            "503": ApiError(503, "The service is currently unavailable.", "backendError"),
            "404-history": not_found(),
            "403-daily": rate_limited(403, "dailyLimitExceeded"),
            "403-domain": ApiError(403, "Domain policy has disabled third-party apps.", "domainPolicy"),
            "403-api-off": api_off(),
            "400-token": invalid_argument("Invalid pageToken"),
        }
        return plain.get(self.kind)

    def shape(self) -> JsonObject:
        """JSON for the admin interface."""
        return {"id": self.id, "method": self.method, "kind": self.kind, "seen": self.seen, "fired": self.fired}


class Faults:
    """The active rules, oldest first."""

    def __init__(self) -> None:
        self._rules: dict[str, FaultRule] = {}
        self._created = 0

    def add(self, body: JsonObject) -> FaultRule:
        """Adds a rule from the admin interface. Raises `ApiError` 400 for an invalid one."""
        unknown = sorted(set(body) - KNOWN)
        kind, place = text_of(body, "kind") or "", text_of(body, "place") or "any"
        when = text_of(body, "when") or ("after" if kind in AFTER_ONLY else "before")
        if unknown or kind not in KINDS or place not in {"any", "inner", "outer"} or when not in {"before", "after"}:
            raise invalid_argument(f"fault: unknown {unknown or (kind, place, when)}; kinds are {', '.join(KINDS)}")
        if kind in AFTER_ONLY and when == "before":
            raise invalid_argument(f"fault: {kind} happens after the commit")
        if kind == "cut" and place == "inner":
            raise invalid_argument("fault: a connection is cut for the whole batch, place must be outer or any")
        self._created += 1
        times, probability, seconds = int_of(body, "times"), number_of(body, "probability"), number_of(body, "seconds")
        rule = FaultRule(
            id=f"fault-{self._created}",
            method=text_of(body, "method") or "*",
            kind=kind,
            place=place,
            when=when,
            nth=int_of(body, "nth") or 1,
            times=1 if times is None else times,
            probability=1.0 if probability is None else probability,
            seed=int_of(body, "seed") or 1,
            seconds=1.0 if seconds is None else seconds,
            about=text_of(body, "about") or "",
        )
        self._rules[rule.id] = rule
        return rule

    def remove(self, rule_id: str) -> None:
        """Removes a rule. Raises `ApiError` 404."""
        if self._rules.pop(rule_id, None) is None:
            raise not_found()

    def clear(self) -> None:
        self._rules.clear()

    def listed(self) -> list[FaultRule]:
        return list(self._rules.values())

    def pick(self, method_id: str, inner: bool, names: Callable[[str], bool] = lambda _: True) -> FaultRule | None:
        """The first rule that fires for a request, or None.

        Matching rules before it count the request too. `names(text)` tells whether the request contains a text.
        """
        for rule in self._rules.values():
            if not (inner and rule.kind == "cut") and rule.fires(method_id, inner, names):
                return rule
        return None
