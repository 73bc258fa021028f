"""The tool registry. Every tool call of an agent goes through `Registry.execute`.

It checks the arguments against the schema, asks `domain.policy`, runs the handler, writes an audit row and records the result as
read. Also holds the messages for the model on denied calls.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from app.agent.llm.schemas import TOOL_KEYWORDS, schema_error, schema_errors, sent_schema
from app.agent.llm.turns import ToolCall
from app.agent.tools.execution import TIMEOUT_S, UNFIT, Handler, JudgedCall, RegisteredTool, carry_out, note
from app.agent.tools.tool_calls import CallContext, Denied, NeedsApproval, Outcome, OwnerDecision, PendingCall, Result
from app.domain.agents.call_flags import call_error, call_flags
from app.domain.agents.provenance import typed_by_user
from app.domain.agents.tools import CallApproval, NetRule, ToolDefinition, never, plan_hash
from app.domain.policy.policy import CallFacts, Effect, PolicyReason, Verdict, judge_call, overspent

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


def a_text(description: str, longest: int, **more: Any) -> dict[str, Any]:
    """JSON schema of a non-empty string."""
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
        """All tool names, in order of registration."""
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
            denied = Denied(judged.ruling.why, denial_words(judged.ruling.why, call.name, self._listed(ctx)))
            return await note(call, ctx, definition, judged, denied)
        decision = None
        if judged.ruling.verdict is Verdict.ASK:
            decision = ctx.approvals(PendingCall(call, judged.plan_hash, judged.flags, judged.ruling.why))
            if decision is None:
                waiting = NeedsApproval(judged.plan_hash, judged.flags, judged.ruling.why)
                return await note(call, ctx, definition, judged, waiting)
            refused = _refusal(decision, judged, ctx.use(call.id, decision))
            if refused is not None:
                return await note(call, ctx, definition, judged, refused, decision)
        result = await carry_out(self._tools[call.name], call, ctx)
        return await note(call, ctx, definition, judged, result, decision)

    def _listed(self, ctx: CallContext) -> str:
        return ", ".join(name for name in self._tools if name in ctx.tools)


def spec_of(known: ToolDefinition) -> dict[str, Any]:
    """A tool in OpenAI's function format."""
    described = {"name": known.name, "description": known.description, "parameters": sent_schema(known.parameters, TOOL_KEYWORDS)}
    return {"type": "function", "function": described}


def _refusal(decision: OwnerDecision, judged: JudgedCall, fresh: bool) -> Denied | None:
    """Why a decision does not allow this call, None where it does."""
    if not decision.approved:
        return Denied(PolicyReason.OWNER_REFUSED, decision.note or "The owner does not want this.")
    if decision.plan_hash != judged.plan_hash or not fresh:
        return Denied(PolicyReason.PLAN_CHANGED, "The owner agreed to another call than this one.")
    return None
