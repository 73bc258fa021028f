"""Injected faults: rules that make chosen requests fail. Without rules nothing fails."""

import hashlib
from collections.abc import Callable
from fnmatch import fnmatchcase
from typing import Literal

import msgspec

from app.sandbox.google_api.errors import (
    ApiError,
    api_off,
    insufficient_scopes,
    invalid_argument,
    not_found,
    rate_limited,
    unauthenticated,
)
from app.sandbox.google_api.json_values import JsonObject

KINDS = (
    "429", "403-rate", "403-user-rate", "403-permission", "400-precondition", "401", "500", "502", "503", "404-history",
    "truncate", "cut", "slow", "double",
    "403-daily", "403-domain", "403-api-off", "400-token",
)  # fmt: skip
AFTER_ONLY = frozenset({"truncate", "double"})


class FaultRule(msgspec.Struct, forbid_unknown_fields=True):
    """A fault rule.

    `method` is a pattern over method ids, `place` is any, inner (in a batch) or outer, `when` is before or after the commit. It
    fires from the `nth` matching request on, at most `times` times (0: always), with `probability`. With `about` it matches only
    requests whose path or body contains that text.
    """

    id: str
    kind: str
    method: str = "*"
    place: Literal["any", "inner", "outer"] = "any"
    when: Literal["before", "after", ""] = ""
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

    def error(self) -> ApiError:
        """The error of this kind. Raises `KeyError` for kinds that are no error answer."""
        return {
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
        }[self.kind]

    def shape(self) -> JsonObject:
        """JSON for the admin interface."""
        return {name: getattr(self, name) for name in ("id", "method", "kind", "seen", "fired")}


class Faults:
    """The active rules by id, oldest first."""

    def __init__(self) -> None:
        self.rules: dict[str, FaultRule] = {}
        self._created = 0

    def add(self, body: JsonObject) -> FaultRule:
        """Adds a rule from the admin interface. Raises `ApiError` 400 for an invalid one."""
        try:
            rule = msgspec.convert({**body, "id": f"fault-{self._created + 1}"}, FaultRule)
        except msgspec.ValidationError as error:
            raise invalid_argument(f"fault: {error}") from error
        if rule.kind not in KINDS:
            raise invalid_argument(f"fault: unknown {rule.kind}; kinds are {', '.join(KINDS)}")
        if rule.kind in AFTER_ONLY and rule.when == "before":
            raise invalid_argument(f"fault: {rule.kind} happens after the commit")
        if rule.kind == "cut" and rule.place == "inner":
            raise invalid_argument("fault: a connection is cut for the whole batch, place must be outer or any")
        self._created += 1
        rule.when = rule.when or ("after" if rule.kind in AFTER_ONLY else "before")
        self.rules[rule.id] = rule
        return rule

    def remove(self, rule_id: str) -> None:
        """Removes a rule, or every rule without an id. Raises `ApiError` 404."""
        if not rule_id:
            self.rules.clear()
        elif self.rules.pop(rule_id, None) is None:
            raise not_found()

    def pick(self, method_id: str, inner: bool, names: Callable[[str], bool]) -> FaultRule | None:
        """The first rule that fires for a request, or None.

        Matching rules before it count the request too. `names(text)` tells whether the request contains a text.
        """
        for rule in self.rules.values():
            if not (inner and rule.kind == "cut") and rule.fires(method_id, inner, names):
                return rule
        return None
