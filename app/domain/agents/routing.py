"""Routing rules: their conditions as plain data, and the `RuleSet` that applies them.

The first rule whose conditions all hold wins; without a match the pipeline gets the mail. A route is a convenience and never a
permission, since subject, headers and body are the sender's. A rule also changes labels of a message, which can be undone.
The caller compiles patterns, with a time limit.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from enum import StrEnum
from functools import cached_property

from app.domain.agents.runs import Route
from app.domain.mail.message import Message, RemoteMessage, SystemLabel
from app.domain.mail.recipients import mentioned
from app.domain.record import Record


class HeaderPattern(Record):
    """A header and a regular expression that one of its values must contain. Case does not matter."""

    name: str
    pattern: str


BULK = HeaderPattern("List-Unsubscribe", ".")
"""Matches newsletters and mailing lists."""


def sender_contains(words: str) -> HeaderPattern:
    """Matches mail whose sender's name or address contains the words."""
    return HeaderPattern("From", re.escape(words))


def sender_words(pattern: HeaderPattern) -> str:
    """The words given to `sender_contains`; empty for a pattern of another kind."""
    words = re.sub(r"\\(.)", r"\1", pattern.pattern)
    return words if pattern == sender_contains(words) else ""


class RuleMatch(Record):
    """The conditions of a rule; all given ones must hold. Without any, nothing matches."""

    all: bool = False
    sender_email: str = ""
    sender_domain: str = ""
    subject_contains: str = ""
    header_match: tuple[HeaderPattern, ...] = ()
    forwarded_from: str = ""

    @property
    def empty(self) -> bool:
        return self == RuleMatch()


TEXT_KEYS = ("sender_email", "sender_domain", "subject_contains", "forwarded_from")
"""Conditions of `RuleMatch` that are texts."""

ADDRESS_KEYS = frozenset({"sender_email", "sender_domain", "forwarded_from"})
"""Conditions of `RuleMatch` that are compared without case and stored in lower case."""


class RuleAction(StrEnum):
    """What a rule does to a message besides adding its label."""

    ARCHIVE = "archive"
    MARK_READ = "mark_read"
    STAR = "star"
    SPAM = "spam"


def route_for(actions: Collection[RuleAction]) -> Route:
    """The route of a rule that names only actions. Mail that it archives, marks as read or moves to spam gets no draft."""
    return Route.PIPELINE if set(actions) <= {RuleAction.STAR} else Route.SORT


LABELS_OF: dict[RuleAction, tuple[tuple[str, ...], tuple[str, ...]]] = {
    RuleAction.ARCHIVE: ((), (SystemLabel.INBOX.value,)),
    RuleAction.MARK_READ: ((), (SystemLabel.UNREAD.value,)),
    RuleAction.STAR: ((SystemLabel.STARRED.value,), ()),
    RuleAction.SPAM: ((SystemLabel.SPAM.value,), (SystemLabel.INBOX.value,)),
}
"""The labels that each action adds and removes."""


class RoutingRule(Record):
    """One routing rule. `profile` names the agent profile, only for the agent route. `label` is the name of a label to add."""

    name: str
    match: RuleMatch
    route: Route
    profile: str = ""
    label: str = ""
    actions: tuple[RuleAction, ...] = ()


class Routed(Record):
    """The outcome; `rule` is empty if no rule matched.

    `because` names the conditions that held (and the signal of a forwarded mail). `slow` names the header patterns that timed
    out, as `rule/header`; they count as no match.
    """

    route: Route
    rule: str = ""
    profile: str = ""
    because: tuple[str, ...] = ()
    slow: tuple[str, ...] = ()
    label: str = ""
    actions: tuple[RuleAction, ...] = ()

    @property
    def changes(self) -> bool:
        return bool(self.label or self.actions)

    @property
    def outcome(self) -> tuple[object, ...]:
        """What two routings of a message must share to be the same."""
        return self.route, self.rule, self.profile, self.label, self.actions


Mail = Message | RemoteMessage
Finds = Callable[[str], bool | None]
"""Whether a text contains a pattern; None if the search timed out."""
Compile = Callable[[str], Finds]
"""Compiles a pattern. Raises `ValueError` if it is invalid."""

FORWARDED = "forwarded_from"


class _Facts:
    """What rules need of one mail, each computed once on demand."""

    def __init__(self, mail: Mail) -> None:
        self._mail = mail
        self.sender, self.domain = mail.sender.email.lower(), mail.sender.domain.lower()

    @cached_property
    def subject(self) -> str:
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
        """Addresses the mail may have been forwarded from, each with its strongest signal."""
        signals = {address: "header" for value in self.headers.get("x-forwarded-from", ()) for address in mentioned(value)}
        for reply_to in self._mail.reply_to:
            signals.setdefault(reply_to.email.lower(), "reply_to")
        signals.setdefault(self.sender, "sender")
        for address in mentioned(self._mail.body_text):
            signals.setdefault(address, "body")
        return signals


class RuleSet:
    """Rules ready to apply, without those that lead to a profile in `off`. Raises what `compile_pattern` raises."""

    def __init__(self, rules: Sequence[RoutingRule], compile_pattern: Compile, off: Collection[str] = ()) -> None:
        self.rules = tuple(rules)
        compiled = [
            (rule, [(one.name.lower(), compile_pattern(one.pattern)) for one in rule.match.header_match]) for rule in rules
        ]
        self._on = [(rule, patterns) for rule, patterns in compiled if not rule.profile or rule.profile not in off]

    def route(self, mail: Mail) -> Routed:
        """Returns the first matching rule's route, else the pipeline."""
        facts, slow = _Facts(mail), list[str]()
        for rule, patterns in self._on:
            held = _held(rule, patterns, facts, slow)
            if held:
                return Routed(rule.route, rule.name, rule.profile, held, tuple(slow), rule.label, rule.actions)
        return Routed(Route.PIPELINE, slow=tuple(slow))


def _held(rule: RoutingRule, patterns: Sequence[tuple[str, Finds]], facts: _Facts, slow: list[str]) -> tuple[str, ...]:
    """The names of the rule's conditions, cheap ones first. Empty if one does not hold or there is none."""
    match = rule.match
    held = ["all"] if match.all else []
    for name, wanted, has in (
        ("sender_email", match.sender_email.lower(), lambda one: facts.sender == one),
        ("sender_domain", match.sender_domain.lower(), lambda one: facts.domain == one),
        ("subject_contains", match.subject_contains.casefold(), lambda one: one in facts.subject),
        (FORWARDED, match.forwarded_from.lower(), lambda one: one in facts.forwarders),
    ):
        if wanted and not has(wanted):
            return ()
        if wanted:
            held.append(f"{name}:{facts.forwarders[wanted]}" if name == FORWARDED else name)
    for name, finds in patterns:
        found = next((one for one in map(finds, facts.headers.get(name, ())) if one is not False), False)
        if found is None:  # it timed out
            slow.append(f"{rule.name}/{name}")
        if not found:
            return ()
        held.append(f"header_match:{name}")
    return tuple(held)
