"""A profile tried on a mail: what its agent would read and do, with every effect held back."""

from dataclasses import dataclass

from app.domain.ids import MessageId


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
