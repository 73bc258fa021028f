"""The tool registry. Every tool call of an agent goes through `Registry.execute`.

It checks the arguments against the schema, asks `domain.policy`, runs the handler, writes an audit row and records the result as
read. Also holds the messages for the model on denied calls.
"""

import asyncio
import json
import logging
import traceback
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any

from msgspec import field

from app.agent.llm.schemas import TOOL_KEYWORDS, schema_error, schema_errors, sent_schema
from app.agent.llm.turns import ToolCall
from app.agent.tools.tool_calls import (
    CallContext,
    Denied,
    NeedsApproval,
    Outcome,
    OwnerDecision,
    ReadTexts,
    Result,
    not_paused,
)
from app.agent.tools.web import PageReader, SearxSearch
from app.domain.agents.call_flags import call_error, call_flags
from app.domain.agents.provenance import typed_by_user
from app.domain.agents.requests import ALL_MAIL, MailScope
from app.domain.agents.runs import CallAudit, CallOutcome
from app.domain.agents.tools import AgentProfile, CallApproval, Json, NetRule, ToolDefinition, never, plan_hash
from app.domain.drafting.review import Proposal, RedFlag
from app.domain.errors import ExpectedError, NotAllowed
from app.domain.ids import AccountId
from app.domain.mail.message import Message
from app.domain.policy.policy import Budget, CallFacts, Effect, PolicyReason, Ruling, Verdict, judge_call, overspent
from app.domain.ports.services import MailSearch
from app.domain.record import Record, replace
from app.mail.file_process import DocumentReader
from app.store.learning.preferences import Preferences
from app.store.pharmacy import DrugTable, ReservationTable
from app.store.requests.artifacts import ArtifactFolder
from app.store.runs.audit import AuditTable

TIMEOUT_S = 60.0
LONGEST_RESULT = 24_000
"""Characters of a result as JSON. The model gets the beginning of a longer one, marked as truncated."""

Handler = Callable[..., Awaitable[Json | ReadTexts]]
Proposes = Callable[..., Awaitable[Proposal]]

log = logging.getLogger(__name__)


class RegisteredTool(Record):
    """A tool definition with its handler and timeout.

    `propose` makes what the owner sees before approving, from the same arguments. It raises where the call could not run anyway.
    """

    definition: ToolDefinition
    handler: Handler
    timeout_s: float = TIMEOUT_S
    propose: Proposes | None = None


async def carry_out(tool: RegisteredTool, call: ToolCall, ctx: CallContext) -> Result:
    """Runs the handler. Any error becomes `{"error": ...}` with `failed=True`. Unexpected ones are logged without their text.

    The timeout is the handler's own: one of the caller is not mistaken for it.
    """

    async def handled() -> Json | ReadTexts:
        return await asyncio.wait_for(tool.handler(**call.arguments), tool.timeout_s)

    (value,) = await asyncio.gather(handled(), return_exceptions=True)
    if isinstance(value, TimeoutError):
        return Result({"error": f"{call.name} took longer than {tool.timeout_s:g} s."}, failed=True)
    if isinstance(value, ExpectedError):
        return Result({"error": error_words(value)}, failed=True)
    if isinstance(value, BaseException):
        where = "".join(traceback.format_tb(value.__traceback__))
        log.warning("tool %s failed: %s\n%s", call.name, type(value).__name__, where)
        return Result({"error": f"{call.name} failed: {type(value).__name__}."}, failed=True)
    shown = value.value if isinstance(value, ReadTexts) else value
    try:
        text = json.dumps(shown, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return Result({"error": f"{call.name} returned what is not JSON."}, failed=True)
    ctx.observe(value, public=tool.definition.public)
    if tool.definition.effect is Effect.SEND:
        ctx.spent = replace(ctx.spent, sends=ctx.spent.sends + 1)
    if len(text) > LONGEST_RESULT:
        shown = {"truncated": True, "characters": len(text), "beginning": text[:LONGEST_RESULT]}
    return Result(shown)


def error_words(error: ExpectedError) -> str:
    """An error for the model: its code and text. A refusal says itself what is wrong."""
    return str(error) if isinstance(error, NotAllowed) else f"{error.code}: {error}"


LONGEST_NAME = 100


class JudgedCall(Record):
    """The policy's ruling on a call, with its red flags."""

    ruling: Ruling
    flags: tuple[RedFlag, ...]
    plan_hash: str


UNFIT = JudgedCall(Ruling(Verdict.DENY, PolicyReason.BAD_ARGUMENTS), (), "")
"""For a call whose arguments do not fit its schema."""


async def note(
    call: ToolCall,
    ctx: CallContext,
    definition: ToolDefinition | None,
    judged: JudgedCall,
    outcome: Outcome,
    decision: OwnerDecision | None = None,
) -> Outcome:
    """Writes the call's audit row and returns the outcome unchanged."""
    agreed = decision if decision is not None and decision.approved else None
    ended = CallOutcome.RAN
    if isinstance(outcome, NeedsApproval):
        ended = CallOutcome.WAITING
    elif isinstance(outcome, Denied):
        ended = CallOutcome.DENIED
    elif outcome.failed:
        ended = CallOutcome.FAILED
    row = CallAudit(
        run_id=ctx.run_id,
        call_id=call.id,
        tool=call.name[:LONGEST_NAME],
        effect=definition.effect if definition else None,
        arguments_hash=plan_hash(call.name, call.arguments),
        verdict=judged.ruling.verdict,
        why=outcome.why if isinstance(outcome, Denied) else judged.ruling.why,
        flags=tuple(dict.fromkeys(one.kind for one in judged.flags)),
        outcome=ended,
        at=ctx.clock(),
        approved_by=agreed.by if agreed else "",
        approved_at=agreed.at if agreed else None,
    )
    await asyncio.to_thread(ctx.audit, row)
    return outcome


class LeavingSearch(Record):
    """A `MailSearch` without the mail that no language model gets."""

    search: MailSearch
    stays_here: Callable[[Message], bool]

    async def find(self, account_id: AccountId, words: str, limit: int, scope: MailScope = ALL_MAIL) -> tuple[Message, ...]:
        return tuple(one for one in await self.search.find(account_id, words, limit, scope) if not self.stays_here(one))

    async def query(self, account_id: AccountId, query: str, limit: int, scope: MailScope = ALL_MAIL) -> tuple[Message, ...]:
        return tuple(one for one in await self.search.query(account_id, query, limit, scope) if not self.stays_here(one))


class Toolbox(Record):
    """Backends for the tools of agent profiles.

    `served` gives the tools of a profile's MCP servers; `hosts` are sites that may always be read; `paused` is the owner's switch
    for all agents.
    """

    book: AuditTable
    search: MailSearch | None = None
    drugs: DrugTable | None = None
    reservations: ReservationTable | None = None
    web: SearxSearch | None = None
    reader: PageReader | None = None
    artifacts: ArtifactFolder | None = None
    texts: DocumentReader | None = None
    memory: Preferences | None = None
    served: Callable[[AgentProfile], Sequence[RegisteredTool]] = lambda _profile: ()
    hosts: frozenset[str] = frozenset()
    paused: Callable[[], bool] = not_paused
    budget: Budget = field(default_factory=Budget)


SENTENCES = {
    PolicyReason.PAUSED: "The owner has stopped all agents.",
    PolicyReason.NOT_LISTED: "There is no tool {tool}. The tools are: {listed}.",
    PolicyReason.ITERATIONS_SPENT: "This run has no turns left.",
    PolicyReason.TOKENS_SPENT: "This run has used up its tokens.",
    PolicyReason.SENDS_SPENT: "This run has sent what it may send. Use a draft, or leave it to the owner.",
    PolicyReason.SENDS_THIS_HOUR: "The agents have sent what they may send in an hour. Use a draft, or leave it to the owner.",
    PolicyReason.BAD_RECIPIENT: "Each recipient must be exactly one mail address.",
    PolicyReason.NOT_AN_ARTIFACT: "Files are named by the handle that a tool gave out; this is none.",
    PolicyReason.NET_PRIVATE_WORDS: (
        "A search may not repeat private text, nor hold addresses, codes or long numbers. Use general words."
    ),
    PolicyReason.NET_TOO_LONG: "A search must be short and made of plain words.",
    PolicyReason.NET_BAD_ADDRESS: "Only https addresses with a public host name, without port and user, can be read.",
    PolicyReason.NET_HOST_NOT_ALLOWED: "Only sites that the owner named or allowed can be read.",
    PolicyReason.NET_QUERY_NOT_TYPED: "An address may hold no query that the owner did not type.",
}
"""Messages for the model by reason. A test checks that every reason for a denial has one."""

OTHER = "The call of {tool} was refused: {why}."


def denial_words(why: PolicyReason, tool: str, listed: str) -> str:
    return SENTENCES.get(why, OTHER).format(tool=tool[:60], listed=listed or "none", why=why.value)


def an_object(required: tuple[str, ...], **properties: Any) -> dict[str, Any]:
    """JSON schema of an object without additional properties."""
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


def a_list(item: Mapping[str, Any], description: str, **more: Any) -> dict[str, Any]:
    return {"type": "array", "items": item, **more, "description": description}


def a_number(most: int, **more: Any) -> dict[str, Any]:
    """JSON schema of a number from one on."""
    return {"type": "integer", "minimum": 1, "maximum": most, **more}


def a_text(description: str, longest: int, **more: Any) -> dict[str, Any]:
    return {"type": "string", "description": description, "minLength": 1, "maxLength": longest, **more}


class Registry:
    """Tools by name. Can be shared by concurrent runs: the state of a run is in its `CallContext`."""

    def __init__(self, tools: Iterable[RegisteredTool] = ()) -> None:
        self._tools: dict[str, RegisteredTool] = {}
        for tool in tools:
            self.add(tool)

    def register(
        self,
        name: str,
        description: str,
        json_schema: Mapping[str, Any],
        handler: Handler,
        effect: Effect,
        recipient_args: tuple[str, ...] = (),
        text_args: tuple[str, ...] = (),
        attach_args: tuple[str, ...] = (),
        *,
        asking: CallApproval = CallApproval.ASK,
        asks_when: Callable[[Mapping[str, Any]], bool] = never,
        net: NetRule = NetRule.NONE,
        public: bool = False,
        timeout_s: float = TIMEOUT_S,
    ) -> None:
        """Adds a tool. Raises `ValueError` for a taken name, an invalid schema, or an argument that the schema lacks."""
        definition = ToolDefinition(
            name, description, json_schema, effect, recipient_args, text_args, attach_args, asking, asks_when, net, public
        )
        self.add(RegisteredTool(definition, handler, timeout_s))

    def add(self, tool: RegisteredTool) -> None:
        """Adds a tool. Raises `ValueError` as `register` does."""
        known = tool.definition
        if known.name in self._tools:
            raise ValueError(f"There are two tools called {known.name}.")
        if fault := schema_error(known.parameters):
            raise ValueError(f"The parameters of {known.name} are no JSON schema: {fault}")
        named = {*known.recipient_args, *known.text_args, *known.attach_args}
        if missing := sorted(named - set(known.parameters.get("properties", {}))):
            raise ValueError(f"The tool {known.name} has no parameters {', '.join(missing)}.")
        self._tools[known.name] = tool

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._tools)

    def tool(self, name: str) -> RegisteredTool | None:
        return self._tools.get(name)

    def definition(self, name: str) -> ToolDefinition | None:
        tool = self._tools.get(name)
        return tool.definition if tool else None

    def specs(self, names: Iterable[str] | None = None) -> list[dict[str, Any]]:
        """Tools in OpenAI's function format: all, or the known ones of `names` in that order."""
        wanted = self._tools if names is None else [name for name in dict.fromkeys(names) if name in self._tools]
        return [spec_of(self._tools[name].definition) for name in wanted]

    def argument_error(self, call: ToolCall) -> str:
        """Why a call's arguments do not fit the schema, for the model. Empty where they fit or the tool is unknown."""
        definition = self.definition(call.name)
        if definition is None:
            return ""
        words = "; ".join(schema_errors(definition.parameters, call.arguments, "arguments"))
        return f"These arguments do not fit {call.name}: {words}" if words else ""

    def judge(self, call: ToolCall, ctx: CallContext) -> JudgedCall:
        """The policy's ruling, without effects. The arguments must fit the schema."""
        plan = plan_hash(call.name, call.arguments)
        known = self.definition(call.name)
        if known is None or call.name not in ctx.tools:
            return JudgedCall(judge_call(CallFacts(Effect.SEND, listed=False, paused=ctx.paused())), (), plan)
        arguments = call.arguments
        facts = CallFacts(
            known.effect,
            listed=True,
            typed=typed_by_user(arguments, known.parameters, ctx.scope.request),
            asks=known.asks_when(arguments),
            owner_allows=known.asking is CallApproval.ALLOW,
            net_clean=known.net is not NetRule.NONE,
            done=ctx.done,
            paused=ctx.paused(),
            denial=call_error(known, arguments, ctx.scope, ctx.read) or overspent(known.effect, ctx.budget, ctx.spent),
        )
        return JudgedCall(judge_call(facts), call_flags(known, arguments, ctx.scope, ctx.read, ctx.spent.sends), plan)

    async def execute(self, call: ToolCall, ctx: CallContext) -> Outcome:
        """Runs a call, or returns why it was denied or must wait. Its audit row is written before this returns."""
        definition = self.definition(call.name) if call.name in ctx.tools else None
        if definition is not None and (problem := self.argument_error(call)):
            return await note(call, ctx, definition, UNFIT, Result({"error": problem}, failed=True))
        judged = self.judge(call, ctx)
        if judged.ruling.verdict is Verdict.DENY:
            listed = ", ".join(name for name in self._tools if name in ctx.tools)
            denied = Denied(judged.ruling.why, denial_words(judged.ruling.why, call.name, listed))
            return await note(call, ctx, definition, judged, denied)
        decision = None
        if judged.ruling.verdict is Verdict.ASK:
            waiting = NeedsApproval(call, judged.plan_hash, judged.flags, judged.ruling.why)
            decision = ctx.approvals(waiting)
            if decision is None:
                return await note(call, ctx, definition, judged, waiting)
            fresh = ctx.use(call.id, decision)
            refused = None
            if not decision.approved:
                refused = Denied(PolicyReason.OWNER_REFUSED, decision.note or "The owner does not want this.")
            elif decision.plan_hash != judged.plan_hash or not fresh:
                refused = Denied(PolicyReason.PLAN_CHANGED, "The owner agreed to another call than this one.")
            if refused is not None:
                return await note(call, ctx, definition, judged, refused, decision)
        result = await carry_out(self._tools[call.name], call, ctx)
        return await note(call, ctx, definition, judged, result, decision)


def spec_of(known: ToolDefinition) -> dict[str, Any]:
    """A tool in OpenAI's function format."""
    described = {"name": known.name, "description": known.description, "parameters": sent_schema(known.parameters, TOOL_KEYWORDS)}
    return {"type": "function", "function": described}
