"""Where a mail goes: rules in order, the first whose conditions all hold wins, no match means the pipeline.

Pure. Patterns arrive compiled; `app.config` reads the rules file and compiles them. A route is a convenience, never a permission:
subject, headers and body are written by the sender.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.mail import Message, RemoteMessage
from app.domain.runs import Route

Mail = Message | RemoteMessage

NOT_BEFORE = r"(?<![A-Za-z0-9._%+\-@])"
NOT_AFTER = r"(?![A-Za-z0-9_%+\-@]|\.[A-Za-z0-9])"
"""What may not stand beside an address: a match must not be the middle of a longer one; a full stop may follow."""


@dataclass(frozen=True, slots=True)
class HeaderPattern:
    """A header and the pattern one of its values must contain."""

    name: str
    pattern: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Match:
    """The conditions of a rule; those given must all hold. Addresses and domains in lower case. No condition matches nothing."""

    all: bool = False
    sender_email: str = ""
    sender_domain: str = ""
    subject_contains: str = ""
    header_match: tuple[HeaderPattern, ...] = ()
    forwarded_from: str = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """One routing rule; `profile` names the agent profile and is given exactly for the agent route."""

    name: str
    match: Match
    route: Route
    profile: str = ""


@dataclass(frozen=True, slots=True)
class Routed:
    """The outcome: `rule` is empty when no rule matched."""

    route: Route
    rule: str = ""
    profile: str = ""


def route(message: Mail, rules: Sequence[Rule]) -> Routed:
    """The first matching rule's route, else the pipeline."""
    for rule in rules:
        if matches(message, rule.match):
            return Routed(rule.route, rule.name, rule.profile)
    return Routed(Route.PIPELINE)


def matches(message: Mail, match: Match) -> bool:
    """Whether every condition given holds; False when none is given."""
    verdicts = [
        *([True] if match.all else []),
        *([message.sender.email.lower() == match.sender_email.lower()] if match.sender_email else []),
        *([message.sender.domain.lower() == match.sender_domain.lower()] if match.sender_domain else []),
        *([match.subject_contains.casefold() in message.subject.casefold()] if match.subject_contains else []),
        *(header_matches(message, wanted) for wanted in match.header_match),
        *([forwarded_from(message, match.forwarded_from)] if match.forwarded_from else []),
    ]
    return bool(verdicts) and all(verdicts)


def header_matches(message: Mail, wanted: HeaderPattern) -> bool:
    """Whether any value of the header contains the pattern."""
    name = wanted.name.lower()
    return any(key.lower() == name and wanted.pattern.search(value) for key, value in message.headers)


def forwarded_from(message: Mail, address: str) -> bool:
    """Whether the mail came by way of `address`: named in X-Forwarded-From, in Reply-To, in the body, or the sender itself."""
    wanted = address.lower()
    alone = re.compile(NOT_BEFORE + re.escape(wanted) + NOT_AFTER, re.IGNORECASE)
    return (
        message.sender.email.lower() == wanted
        or any(one.email.lower() == wanted for one in message.reply_to)
        or alone.search(message.header("X-Forwarded-From")) is not None
        or alone.search(message.body_text) is not None
    )
