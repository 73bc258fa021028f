"""Where a mail goes, in words: rules with conditions, and the outcome. `domain.rule_set` applies them.

Pure data, so that rules cross the wire as they are. A route is a convenience, never a permission: subject, headers and body
are written by the sender.
"""

from dataclasses import dataclass

from app.domain.runs import Route


@dataclass(frozen=True, slots=True)
class HeaderPattern:
    """A header and the regular expression that one of its values must contain; upper and lower case do not matter."""

    name: str
    pattern: str


@dataclass(frozen=True, slots=True)
class Match:
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
        return self == Match()


@dataclass(frozen=True, slots=True)
class Rule:
    """One routing rule; `profile` names the agent profile and is given exactly for the agent route."""

    name: str
    match: Match
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
