"""What the window asks of agent profiles and their servers: see them, agree to a launch or to tools, take it back.

What the window asks of the rules: read them, try changed ones on mail that is here, save them.

A profile tried on a mail: what its agent would read and do, with every effect held back.
"""

from dataclasses import dataclass

from app.domain.agents.routing import Routed, RoutingRule
from app.domain.agents.servers import ServerStatus
from app.domain.ids import MessageId, ThreadId


@dataclass(frozen=True, slots=True)
class ReadRules:
    """The rules in force; answered by `RulesAnswer`."""


@dataclass(frozen=True, slots=True)
class FileFault:
    """Why a file as it is now is not in force: where (line 0 if unknown), what, and what to do."""

    line: int
    detail: str
    remedy: str


@dataclass(frozen=True, slots=True)
class RulesAnswer:
    """`rules` are those in force; with a `fault` the file says something else that is not. `profiles` are the names an agent
    route may have. `fingerprint` names the file's contents: a save that names another one is refused."""

    path: str
    rules: tuple[RoutingRule, ...]
    profiles: tuple[str, ...]
    fingerprint: str
    fault: FileFault | None = None


@dataclass(frozen=True, slots=True)
class TryRules:
    """What `rules` would do with the newest `limit` mails that others sent, beside what the rules in force do; answered by
    `RulesTried`. `focus` names the rule whose conditions are looked at by themselves. Nothing is written."""

    rules: tuple[RoutingRule, ...]
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

    rules: tuple[RoutingRule, ...]
    fingerprint: str


@dataclass(frozen=True, slots=True)
class ReadProfiles:
    """The profiles in force and how their servers stand; answered by `ProfilesAnswer`."""


@dataclass(frozen=True, slots=True)
class ProfileRow:
    """A profile as the window shows it. `prompt_file` is where its prompt stands."""

    name: str
    model: str
    max_tokens: int
    temperature: float
    max_iterations: int
    prompt_file: str
    prompt: str
    tools: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ProfilesAnswer:
    """`path` is the file they stand in; with a `fault` the file says something else that is not in force."""

    path: str
    profiles: tuple[ProfileRow, ...]
    servers: tuple[ServerStatus, ...]
    fault: FileFault | None = None


@dataclass(frozen=True, slots=True)
class AllowServer:
    """The owner saw the launch line and agrees to start it."""

    launch: str


@dataclass(frozen=True, slots=True)
class ForbidServer:
    """The owner takes it back: the server ends, and what was agreed to of its tools is forgotten."""

    launch: str


@dataclass(frozen=True, slots=True)
class AllowTool:
    """The owner read this tool's description and agrees to it as it was shown, by its digest."""

    launch: str
    tool: str
    digest: str


ProfileCommand = AllowServer | ForbidServer | AllowTool


@dataclass(frozen=True, slots=True)
class TryProfile:
    """Run a profile on a mail without effects; answered by `ProfileTried`. Its model is called, and that costs what it costs."""

    profile: str
    message_id: MessageId


@dataclass(frozen=True, slots=True)
class TriedCall:
    """A call the agent made. Calls that `ran` only read; all others were held back, and `verdict` (a `policy.Verdict`) says
    whether they would have run, asked or been refused. `arguments` and `result` are JSON texts."""

    tool: str
    arguments: str
    ran: bool
    verdict: str
    result: str


@dataclass(frozen=True, slots=True)
class ProfileTried:
    """`status` is an `AgentStatus`; `given` the mail as the agent got it, `final_message` its last words, `trouble` what went
    wrong."""

    status: str
    given: str
    final_message: str
    calls: tuple[TriedCall, ...]
    trouble: str = ""
