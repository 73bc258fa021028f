"""Commands and queries on routing rules, agent profiles, tool servers and triage, with trials that have no effects."""

from app.domain.agents.backtest import RESPOND_FROM, BacktestRow
from app.domain.agents.routing import Routed, RoutingRule
from app.domain.agents.tools import AgentProfile, McpServer, ServerStatus
from app.domain.error_texts import ErrorText
from app.domain.ids import AccountId, MessageId, ThreadId
from app.domain.record import Record
from app.domain.wire import Answer, Command, Query


class ReadRules(Query):
    """Reads the rules in force; answered by `RulesAnswer`."""


class FileError(Record):
    """Why the current file is not in force: line (0 if unknown) and text."""

    line: int
    text: ErrorText


class RulesAnswer(Answer):
    """The rules in force.

    With a `fault` the file holds something else that is not in force. `profiles` are the names an agent route may use.
    `fingerprint` identifies the file's content; a save with another one is rejected.
    """

    path: str
    rules: tuple[RoutingRule, ...]
    profiles: tuple[str, ...]
    fingerprint: str
    error: FileError | None = None


class TryRules(Query):
    """Compares `rules` with the rules in force on the newest `limit` received messages.

    `focus` names a rule whose conditions are checked by themselves. Writes nothing. Answered by `RulesTried`.
    """

    rules: tuple[RoutingRule, ...]
    focus: str = ""
    limit: int = 200


class TriedMail(Record):
    """One message: its route `now` and `then`, and whether the focused rule's conditions hold."""

    message_id: MessageId
    thread_id: ThreadId
    now: Routed
    then: Routed
    holds: bool

    @property
    def changes(self) -> bool:
        """Whether the outcome would be different."""
        return self.now.outcome != self.then.outcome


class RulesTried(Answer):
    """The messages that match the focused rule or change their route, newest first.

    `looked_at` counts all. `slow` names the header patterns that timed out.
    """

    looked_at: int
    mails: tuple[TriedMail, ...]
    slow: tuple[str, ...] = ()


class SaveRules(Command):
    """Writes the rules in this order; comments in the file stay.

    Rejected if the file no longer has this `fingerprint` or has an error.
    """

    rules: tuple[RoutingRule, ...]
    fingerprint: str


class AddRule(Command):
    """Adds a rule before all others. It replaces one of the same name."""

    rule: RoutingRule


class RemoveRule(Command):
    """Removes the rule of this name, if there is one."""

    name: str


class ReadProfiles(Query):
    """Reads the profiles in force and their servers; answered by `ProfilesAnswer`."""


class ProfilesAnswer(Answer):
    """The profiles in force with their servers and the rules; with an `error` the file holds something else.

    The profiles are `hidden`. `fingerprint` identifies file and prompts. `missing` are the tools without a backend.
    """

    path: str
    profiles: tuple[AgentProfile, ...]
    servers: tuple[ServerStatus, ...]
    error: FileError | None = None
    rules: tuple[RoutingRule, ...] = ()
    fingerprint: str = ""
    missing: tuple[str, ...] = ()


class SaveProfile(Command):
    """Writes a profile and its prompt; comments in the file stay, and values that are `hidden`.

    Rejected unless the profile in force is still as it was `before`, None for a new one.
    """

    profile: AgentProfile
    before: AgentProfile | None


class RemoveProfile(Command):
    """Removes a profile and the rules that lead to it; the prompt's file stays.

    Rejected unless the `fingerprint` is still that of the profiles.
    """

    name: str
    fingerprint: str


class RestoreProfiles(Command):
    """Undoes the save or removal after which the profiles had this `fingerprint`. Rejected as `RemoveProfile`."""

    fingerprint: str


class ReadServers(Query):
    """Reads tool servers from the JSON of other programs; answered by `ServersRead`. Starts and writes nothing."""

    json: str


class ServersRead(Answer):
    """The servers, or what is wrong with the JSON."""

    servers: tuple[McpServer, ...] = ()
    error: FileError | None = None


class AllowServer(Command):
    """Agrees to start this launch line."""

    launch: str


class ForbidServer(Command):
    """Withdraws the consent. The server ends, and the consents to its tools are forgotten."""

    launch: str


class AllowTool(Command):
    """Agrees to a tool as it was shown, identified by its digest."""

    launch: str
    tool: str
    digest: str


ProfileCommand = AllowServer | ForbidServer | AllowTool
ProfileSave = SaveProfile | RemoveProfile | RestoreProfiles


class TryProfile(Query):
    """Runs a profile, saved or not, on a message without effects; answered by `ProfileTried`.

    Its model is called, at the usual cost. Only servers that run already take part.
    """

    profile: AgentProfile
    message_id: MessageId


class TriedCall(Record):
    """A call the agent made.

    Only calls that read really `ran`; `verdict` (a `policy.Verdict`) says whether the others would have run, needed approval or
    been denied. `arguments` and `result` are JSON.
    """

    tool: str
    arguments: str
    ran: bool
    verdict: str
    result: str


class ProfileTried(Answer):
    """The result of a trial. `status` is an `AgentStatus`, `given` the message as the agent got it, `trouble` the error."""

    status: str
    given: str
    final_message: str
    calls: tuple[TriedCall, ...]
    error: str = ""


class RunBacktest(Query):
    """Judges an account's last `months` of received mail, each message from what came before it; answered by `BacktestDone`.

    `BacktestProgress` tells how far it is. Cancelling the query ends it. Writes nothing.
    """

    account_id: AccountId
    months: int = 6


class BacktestDone(Answer):
    """The judged messages, oldest first.

    `since_ms` is the beginning of the period, `until_ms` the newest message. `examples` messages of the archive taught the
    owner's model at the end, `answered` of them were answered. `strongest` are the features that it changed most; empty on a cold
    start, with too few answers to learn from. `respond_from` is the standard limit for this owner.
    """

    account_id: AccountId
    since_ms: int
    until_ms: int
    rows: tuple[BacktestRow, ...]
    examples: int
    answered: int
    strongest: tuple[tuple[str, float], ...] = ()
    respond_from: float = RESPOND_FROM
