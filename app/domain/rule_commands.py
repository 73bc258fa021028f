"""What the window asks of the rules: read them, try changed ones on mail that is here, save them."""

from dataclasses import dataclass

from app.domain.ids import MessageId, ThreadId
from app.domain.routing import Routed, Rule


@dataclass(frozen=True, slots=True)
class ReadRules:
    """The rules in force; answered by `RulesNow`."""


@dataclass(frozen=True, slots=True)
class FileFault:
    """Why a file as it is now is not in force: where (line 0 if unknown), what, and what to do."""

    line: int
    detail: str
    remedy: str


@dataclass(frozen=True, slots=True)
class RulesNow:
    """`rules` are those in force; with a `fault` the file says something else that is not. `profiles` are the names an agent
    route may have. `fingerprint` names the file's contents: a save that names another one is refused."""

    path: str
    rules: tuple[Rule, ...]
    profiles: tuple[str, ...]
    fingerprint: str
    fault: FileFault | None = None


@dataclass(frozen=True, slots=True)
class TryRules:
    """What `rules` would do with the newest `limit` mails that others sent, beside what the rules in force do; answered by
    `RulesTried`. `focus` names the rule whose conditions are looked at by themselves. Nothing is written."""

    rules: tuple[Rule, ...]
    focus: str = ""
    limit: int = 200


@dataclass(frozen=True, slots=True)
class TriedMail:
    """One mail: its route `now` and `then`, and whether the conditions of the focused rule hold, whichever rule wins."""

    message_id: MessageId
    thread_id: ThreadId
    now: Routed
    then: Routed
    holds: bool

    @property
    def changes(self) -> bool:
        """Whether it would go elsewhere, or by another rule."""
        before, after = self.now, self.then
        return (before.route, before.rule, before.profile) != (after.route, after.rule, after.profile)


@dataclass(frozen=True, slots=True)
class RulesTried:
    """`mails` are those that the focused rule's conditions hold for or that would go elsewhere, newest first; `looked_at` counts
    all. `slow` names the header patterns that took too long."""

    looked_at: int
    mails: tuple[TriedMail, ...]
    slow: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SaveRules:
    """Write the rules in this order; comments in the file stay. Refused when the file is not the one named by `fingerprint`, or
    has a mistake."""

    rules: tuple[Rule, ...]
    fingerprint: str
