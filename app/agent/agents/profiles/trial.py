"""Tries a profile on a mail with the same loop, policy and tools as a run, but runs reading tools only.

Writes no run, review or audit row. The model's cost is counted. Other calls are only listed.
"""

import json
from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from app.agent.agents.profiles.casework import ProfileCase, open_case, request
from app.agent.llm.turns import ToolCall
from app.agent.runtime.conversation import final_message, next_call, with_result, with_turn
from app.agent.runtime.dependencies import Deps
from app.agent.runtime.state import GRAPH_VERSION, initial_state
from app.agent.tools.tool_calls import CallContext, Denied, Result, no_audit
from app.domain.agents.runs import AgentStatus, Route, Run, RunStatus
from app.domain.errors import ExpectedError, NotAllowed
from app.domain.ids import MessageId, RunId
from app.domain.policy.policy import Effect, Verdict
from app.domain.protocol.agent_commands import ProfileTried, TriedCall

CALL_TYPE = "trial"
HELD_BACK = {"error": "This is a trial: the call was noted and nothing was done. Go on as if it waited for the owner."}


async def try_profile(profile: str, message_id: MessageId, deps: Deps) -> ProfileTried:
    """What the agent did. Raises `NotAllowed` for an unknown profile or without a model, `NotFound` for a missing message."""
    message = deps.corpus.message(message_id)
    run = Run(
        id=RunId(f"trial-{uuid4()}"),
        account_id=message.account_id,
        message_id=message.id,
        thread_id=message.thread_id,
        route=Route.AGENT,
        rule="",
        profile=profile,
        status=RunStatus.RUNNING,
        graph_version=GRAPH_VERSION,
        created_at=deps.clock(),
    )
    work = open_case(initial_state(run), deps)
    gateway = deps.profile_gateway(work.case.profile)
    if gateway is None:
        raise NotAllowed(f"The model {work.case.profile.model} has no key.", "Store one in Settings, Model.")
    ctx = await work.context(work.registry())
    ctx.audit = no_audit
    calls: list[TriedCall] = []
    talk: list[dict[str, Any]] = []
    specs, status, failure = work.registry().specs(), AgentStatus.MAX_ITERATIONS, ""
    try:
        for _ in range(work.case.profile.max_iterations):
            turn = await gateway.tools(work.case.run_id, CALL_TYPE, [*request(work), *talk], specs, required=False)
            talk = with_turn(talk, turn.text, turn.calls)
            if not turn.calls:
                status = AgentStatus.COMPLETED
                break
            while (call := next_call(talk)) is not None:
                tried, result = await _try_call(work, call, ctx)
                calls.append(tried)
                talk = with_result(talk, call, result)
    except ExpectedError as error:
        status, failure = AgentStatus.ERROR, str(error)
    return ProfileTried(status.value, work.case.given.prompt, final_message(talk), tuple(calls), failure)


async def _try_call(work: ProfileCase, call: ToolCall, ctx: CallContext) -> tuple[TriedCall, Any]:
    """Runs a call if it only reads and policy allows it."""
    registry = work.registry(call.id)
    known = registry.definition(call.name)
    arguments = json.dumps(call.arguments, ensure_ascii=False)
    if known is not None and (problem := registry.argument_error(call)):
        return TriedCall(call.name, arguments, False, Verdict.DENY.value, problem), {"error": problem}
    verdict = registry.judge(call, ctx).ruling.verdict
    reads = known is not None and known.effect is Effect.READ and verdict is Verdict.ALLOW
    if not reads and verdict is not Verdict.DENY:
        return TriedCall(call.name, arguments, False, verdict.value, ""), HELD_BACK
    outcome = await registry.execute(call, ctx)
    value = outcome.value if isinstance(outcome, Result | Denied) else HELD_BACK
    shown = value if isinstance(value, Mapping) else {"result": value}
    return TriedCall(call.name, arguments, reads, verdict.value, json.dumps(shown, ensure_ascii=False)), value
