"""Node `act`: runs one tool call of the model's last turn. Reads run at once; `gmail_send` only becomes a proposal."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import msgspec

from app.agent.agents.gmail.case import OF_INTENT, GmailCase, context_of, open_case
from app.agent.agents.gmail.check_mail import checked
from app.agent.agents.gmail.interface import GmailDeps, GmailFound
from app.agent.agents.gmail.state import GmailTaskState, PendingSend
from app.agent.agents.gmail.tools import DONE, SEND
from app.agent.llm.turns import ToolCall
from app.agent.runtime.conversation import dump, next_call, with_arguments, with_result
from app.agent.tools.execution import UNFIT, note
from app.agent.tools.registry import Registry
from app.agent.tools.tool_calls import CallContext, Denied, NeedsApproval, Outcome, Result
from app.domain.drafting.draft import Source, SourceKind
from app.domain.errors import AgentsPaused, NotAllowed
from app.domain.mail.message import Message
from app.domain.mail.quotes import newest_part
from app.domain.policy.policy import PolicyReason
from app.domain.policy.red_flags import readers
from app.domain.record import replace

EXCERPT = 1200
"""Characters of a message in a contract and in a source."""

PERMANENT_ERRORS = frozenset(
    {PolicyReason.SENDS_SPENT, PolicyReason.SENDS_THIS_HOUR, PolicyReason.TOKENS_SPENT, PolicyReason.ITERATIONS_SPENT}
)
"""Denials after which no other call can succeed."""


async def act(work: GmailTaskState, deps: GmailDeps) -> GmailTaskState:
    """Runs the next call and adds its result to the conversation.

    The update also has `pending` after a valid `gmail_send`, and `found` after `Done`. Raises `AgentsPaused` (the call stays for
    the next attempt) and `NotAllowed` when a limit is used up.
    """
    case = await open_case(work, deps)
    if case.toolbox.paused():
        raise AgentsPaused("The agents are paused.")
    call = next_call(case.talk)
    assert call is not None, "the turn before has a call"
    registry, ctx = case.registry, await context_of(case)
    if call.name == SEND.name and SEND.name in OF_INTENT[case.intent]:
        return await _propose(case, call, registry, ctx)
    outcome = await registry.execute(call, ctx)
    update: GmailTaskState = {"talk": dump(with_result(case.talk, call, _value(outcome)))}
    if call.name == DONE.name and isinstance(outcome, Result) and not outcome.failed:
        by_id = {one.id: one for one in case.mails}
        chosen = [by_id[one] for one in dict.fromkeys(call.arguments["message_ids"])]
        update["found"] = msgspec.to_builtins(searched_from(chosen, call.arguments["answer"].strip()))
    return update


async def _propose(case: GmailCase, call: ToolCall, registry: Registry, ctx: CallContext) -> GmailTaskState:
    """Checks the proposed mail.

    Sets `pending` when it is valid, else adds an error result for the model.
    """
    problem, args = registry.argument_error(call), None
    if not problem:
        try:
            args = await asyncio.to_thread(lambda: checked(call.arguments, case.known))
        except NotAllowed as error:
            problem = str(error)
    if args is None:
        wrong = Result({"error": problem}, failed=True)
        await note(call, ctx, SEND, UNFIT, wrong)
        return {"talk": dump(with_result(case.talk, call, wrong.value))}
    made = replace(call, arguments=msgspec.json.decode(msgspec.json.encode(args)))
    outcome = await registry.execute(made, ctx)
    if not isinstance(outcome, NeedsApproval):
        return {"talk": dump(with_result(case.talk, call, _value(outcome)))}
    model = case.deps.gateway.model if case.deps.gateway else ""
    pending = PendingSend(SEND.name, args, outcome.plan_hash, model, tuple(map(source_of, case.mails)))
    return {"talk": dump(with_arguments(case.talk, call.id, made.arguments)), "pending": msgspec.to_builtins(pending)}


def _value(outcome: Outcome) -> Any:
    """The outcome as the model gets it. Raises `NotAllowed` when no other call can succeed."""
    if isinstance(outcome, Denied) and outcome.why in PERMANENT_ERRORS:
        raise NotAllowed(outcome.words)
    assert not isinstance(outcome, NeedsApproval), "only gmail_send asks"
    return outcome.value


def searched_from(chosen: Sequence[Message], answer: str) -> GmailFound:
    """The result of a search. Its contract data are taken from the first chosen message."""
    data: dict[str, Any] = {"action": "search", "result": "found" if chosen else "not_found"}
    if chosen:
        data |= {"subject": chosen[0].subject, "from": chosen[0].sender.email, "content": excerpt(chosen[0])}
    else:
        data |= {"subject": "", "from": "", "content": ""}
    return GmailFound({**data, "tool_used": True}, answer, tuple(map(source_of, chosen)))


def source_of(message: Message) -> Source:
    return Source(SourceKind.MESSAGE, message.subject, excerpt(message), message.id, readers(message))


def excerpt(message: Message) -> str:
    """The first characters of a message's text, without quotes where possible."""
    return (newest_part(message.body_text) or message.body_text)[:EXCERPT]


def calls_left(work: GmailTaskState) -> bool:
    """Whether the last turn has a call that has not run yet."""
    return next_call(json.loads(work.get("talk") or "[]")) is not None
