"""Where a mail goes, in words: rules with conditions, and the outcome. `domain.rule_set` applies them.

Pure data, so that rules cross the wire as they are. A route is a convenience, never a permission: subject, headers and body
are written by the sender.

Rules made ready for many mails: in order, the first rule whose conditions all hold wins, no match means the pipeline.

Rules that name a sender, a domain or a forwarding address are found by that name; only the rest is tried one by one. Patterns are
compiled by who builds the set, with a limit on their time.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import merge

from app.domain.agents.runs import Route
from app.domain.mail.message import Message, RemoteMessage
from app.domain.mail.recipients import mentioned


@dataclass(frozen=True, slots=True)
class HeaderPattern:
    """A header and the regular expression that one of its values must contain; upper and lower case do not matter."""

    name: str
    pattern: str


@dataclass(frozen=True, slots=True)
class RuleMatch:
    """The conditions of a rule; those given must all hold. No condition matches nothing."""

    all: bool = False
    sender_email: str = ""
    sender_domain: str = ""
    subject_contains: str = ""
    header_match: tuple[HeaderPattern, ...] = ()
    forwarded_from: str = ""

    @property
    def empty(self) -> bool:
        """Whether no condition is given."""
        return self == RuleMatch()


@dataclass(frozen=True, slots=True)
class RoutingRule:
    """One routing rule; `profile` names the agent profile and is given exactly for the agent route."""

    name: str
    match: RuleMatch
    route: Route
    profile: str = ""


@dataclass(frozen=True, slots=True)
class Routed:
    """The outcome: `rule` is empty when no rule matched. `because` names the conditions that held (and the signal of a forwarded
    mail), `slow` the header patterns that were given up for their time, as `rule/header`: those count as no match."""

    route: Route
    rule: str = ""
    profile: str = ""
    because: tuple[str, ...] = ()
    slow: tuple[str, ...] = ()


Mail = Message | RemoteMessage
Finds = Callable[[str], bool | None]
"""Whether a text contains a pattern; None when the search was given up for its time."""
Compile = Callable[[str], Finds]
"""Makes a pattern ready. Raises `ValueError` for one that is none."""

FORWARDED = "forwarded_from"


class _Facts:
    """What rules ask of one mail, each worked out once and only when asked."""

    def __init__(self, mail: Mail) -> None:
        self._mail = mail
        self.sender = mail.sender.email.lower()
        self.domain = mail.sender.domain.lower()
        self.slow: list[str] = []

    @cached_property
    def subject(self) -> str:
        """Folded for comparing."""
        return self._mail.subject.casefold()

    @cached_property
    def headers(self) -> dict[str, list[str]]:
        """Values by lower-case name."""
        values = defaultdict(list)
        for name, value in self._mail.headers:
            values[name.lower()].append(value)
        return dict(values)

    @cached_property
    def forwarders(self) -> dict[str, str]:
        """Addresses the mail may have come by, each with its strongest signal."""
        signals = {one: "header" for value in self.headers.get("x-forwarded-from", ()) for one in mentioned(value)}
        for one in self._mail.reply_to:
            signals.setdefault(one.email.lower(), "reply_to")
        signals.setdefault(self.sender, "sender")
        for address in mentioned(self._mail.body_text):
            signals.setdefault(address, "body")
        return signals


Check = Callable[[_Facts], str]
"""One condition: its name where it holds, else nothing."""


class RuleSet:
    """Rules in force. Raises `ValueError` when `compile_pattern` does."""

    def __init__(self, rules: Sequence[RoutingRule], compile_pattern: Compile) -> None:
        self.rules = tuple(rules)
        self._checks = [_checks(rule, compile_pattern) for rule in rules]
        self._by_sender: dict[str, list[int]] = defaultdict(list)
        self._by_domain: dict[str, list[int]] = defaultdict(list)
        self._by_forwarder: dict[str, list[int]] = defaultdict(list)
        self._others: list[int] = []
        for at, rule in enumerate(rules):
            self._shelf(rule.match).append(at)

    def route(self, mail: Mail) -> Routed:
        """The first matching rule's route, else the pipeline."""
        facts = _Facts(mail)
        for at in self._candidates(facts):
            held = _held(facts, self._checks[at])
            if held:
                rule = self.rules[at]
                return Routed(rule.route, rule.name, rule.profile, held, tuple(facts.slow))
        return Routed(Route.PIPELINE, slow=tuple(facts.slow))

    def _shelf(self, match: RuleMatch) -> list[int]:
        """Where a rule is found: under its narrowest name."""
        if match.sender_email:
            return self._by_sender[match.sender_email.lower()]
        if match.sender_domain:
            return self._by_domain[match.sender_domain.lower()]
        if match.forwarded_from:
            return self._by_forwarder[match.forwarded_from.lower()]
        return self._others

    def _candidates(self, facts: _Facts) -> Iterator[int]:
        """Rules that may match, in order."""
        shelves = [self._others, self._by_sender.get(facts.sender, []), self._by_domain.get(facts.domain, [])]
        if self._by_forwarder:
            shelves += [self._by_forwarder[one] for one in facts.forwarders.keys() & self._by_forwarder.keys()]
        return merge(*shelves)


def _checks(rule: RoutingRule, compile_pattern: Compile) -> tuple[Check, ...]:
    """The rule's conditions, the cheap ones first."""
    match = rule.match
    checks: list[Check] = [lambda facts: "all"] if match.all else []
    if match.sender_email:
        email = match.sender_email.lower()
        checks.append(lambda facts: "sender_email" if facts.sender == email else "")
    if match.sender_domain:
        domain = match.sender_domain.lower()
        checks.append(lambda facts: "sender_domain" if facts.domain == domain else "")
    if match.subject_contains:
        needle = match.subject_contains.casefold()
        checks.append(lambda facts: "subject_contains" if needle in facts.subject else "")
    if match.forwarded_from:
        address = match.forwarded_from.lower()
        checks.append(lambda facts: f"{FORWARDED}:{facts.forwarders[address]}" if address in facts.forwarders else "")
    headers = (_header_check(rule.name, one.name.lower(), compile_pattern(one.pattern)) for one in match.header_match)
    return (*checks, *headers)


def _header_check(rule: str, name: str, finds: Finds) -> Check:
    """Whether a value of the header contains the pattern; a search that was given up is noted."""
    held = f"header_match:{name}"

    def check(facts: _Facts) -> str:
        for value in facts.headers.get(name, ()):
            found = finds(value)
            if found:
                return held
            if found is None:
                facts.slow.append(f"{rule}/{name}")
                return ""
        return ""

    return check


def _held(facts: _Facts, checks: tuple[Check, ...]) -> tuple[str, ...]:
    """The conditions, all of which hold; empty when one does not, or none is given."""
    held = []
    for check in checks:
        name = check(facts)
        if not name:
            return ()
        held.append(name)
    return tuple(held)
