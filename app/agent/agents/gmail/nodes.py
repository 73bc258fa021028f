"""Nodes `intent` and `turn`: ask the model what the task is for, then for one tool call after another.

The intent is decided from the owner's texts alone, before any mail is read. A turn without a call is asked again once.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from langchain_core.messages import AIMessage
from langgraph.types import interrupt

from app.agent.agents.gmail.case import OF_INTENT, GmailCase, completed, offered, open_case
from app.agent.agents.gmail.interface import (
    CHOSEN,
    OUTCOMES,
    RESULTS,
    GmailFound,
    GmailTaskState,
    Intent,
    PendingSend,
    pending_of,
)
from app.agent.agents.gmail.tools import DONE, SEND, checked
from app.agent.drafting.model_request import signature_rule
from app.agent.llm.prompts import chat, fence, prompt
from app.agent.llm.turns import ChatMessage, ModelGateway, ToolCall
from app.agent.runtime.conversation import (
    OWNER_SAYS,
    dump,
    next_call,
    required_turn,
    tokens_spent,
    turns,
    with_arguments,
    with_result,
    with_turn,
)
from app.agent.runtime.dependencies import GmailDeps, owner_prompt
from app.agent.tools.registry import UNFIT, Registry, note
from app.agent.tools.tool_calls import CallContext, Denied, NeedsApproval, Outcome, OwnerDecision, Result, not_paused
from app.domain.agents.requests import Capability, completion_contract
from app.domain.drafting.draft import Source, SourceKind
from app.domain.error_texts import Cause
from app.domain.errors import AgentsPaused, NotAllowed
from app.domain.ids import RunId
from app.domain.mail.message import Message
from app.domain.mail.quotes import newest_part
from app.domain.policy.policy import BudgetSpent, PolicyReason
from app.domain.policy.red_flags import readers
from app.domain.record import replace

CALL_TYPE = "agent"
MOST_TURNS = 8
LONGEST_EARLIER = 24_000
LONGEST_WORDS = 500

INTENT_SCHEMA = {
    "type": "object",
    "properties": {"intent": {"type": "string", "enum": [one.value for one in Intent]}},
    "required": ["intent"],
    "additionalProperties": False,
}
TASKS = {
    Intent.SEARCH: "find mail and tell the owner what was asked. Search with gmail_search first; end with Done.",
    Intent.SEND: "write one mail. It ends with gmail_send; look things up before only where the mail needs them.",
}
AGAIN = {
    Intent.SEARCH: "You called no tool. Search with gmail_search; once you have searched, end with Done.",
    Intent.SEND: "You called no tool. This task ends with gmail_send: call it, or say once more in one sentence what is missing.",
}


async def intent(work: GmailTaskState, deps: GmailDeps, run_id: RunId) -> GmailTaskState:
    """Decides whether the task searches or sends. A change of an earlier proposal always sends.

    A context without an account or a run gets them here.
    """
    context = await asyncio.to_thread(completed, work.get("context") or {}, deps, run_id)
    case = await asyncio.to_thread(open_case, {**work, "context": context}, deps)
    if case.given.before is not None:
        return {"intent": Intent.SEND.value, "context": context}
    system = prompt(deps.prompts, "gmail_intent")
    texts = [f"{'Instruction' if one == len(case.words) else 'Request'}:\n{text}" for one, text in enumerate(case.words, start=1)]
    answer = await _gateway(case).structured(case.given.run_id, CALL_TYPE, chat(system, *texts), INTENT_SCHEMA)
    return {"intent": str(answer["intent"]), "context": context}


async def turn(work: GmailTaskState, deps: GmailDeps, prefix: str) -> GmailTaskState:
    """Adds the model's next turn to the conversation. `prefix` makes call ids unique among the tasks of a run.

    Raises `NotAllowed` with the model's text when there is twice no call.
    """
    case = await asyncio.to_thread(open_case, work, deps)
    if turns(case.talk) >= MOST_TURNS or tokens_spent(case.talk) > case.toolbox.budget.tokens:
        raise NotAllowed(Cause.GMAIL_TASK_TOO_LONG)
    specs = case.registry.specs(offered(case, MOST_TURNS))
    gateway = _gateway(case)
    reply = await required_turn(gateway, case.given.run_id, [*opening(case), *case.talk], specs, AGAIN[case.intent])
    if not reply.calls:
        what = "searched" if case.intent is Intent.SEARCH else "written"
        raise NotAllowed(f"Nothing was {what}. {gateway.model} says: {reply.text.strip()[:LONGEST_WORDS] or '(nothing)'}")
    return {"talk": dump(with_turn(case.talk, reply.text, reply.calls, prefix))}


def opening(case: GmailCase) -> list[ChatMessage]:
    """The messages before the turns.

    In order: system prompt, request, results of earlier steps (fenced), instruction, requested change.
    """
    blocks = [fence(text[:LONGEST_EARLIER], "result of an earlier step") for text in case.earlier]
    *before, instruction = case.words or ("",)
    asked = [f"The owner's request:\n{text}" for text in dict.fromkeys((case.given.request or "", *before)) if text]
    deps, account = case.deps, case.account
    system = owner_prompt(
        deps,
        account,
        "gmail",
        preferences=deps.memory.read(account.id, "response_preferences") if deps.memory else "",
        task=TASKS[case.intent],
        documents="\n".join(f"- {one.handle}: {one.name}" for one in case.given.documents),
        signature=signature_rule(account),
    )
    return chat(system, *asked, *blocks, f"The instruction:\n{instruction}", *_change(case))


def _change(case: GmailCase) -> tuple[str, ...]:
    before = case.given.before
    if before is None:
        return ()
    facts = {
        "To": ", ".join(before.to),
        "Cc": ", ".join(before.cc),
        "Bcc": ", ".join(before.bcc),
        "Subject": before.subject,
        "Attachments": ", ".join(before.attachments),
        "Answers mail": before.reply_to,
    }
    shown = "\n".join(f"{name}: {value}" for name, value in facts.items() if value)
    words = f"{OWNER_SAYS}{case.given.feedback}"
    return fence(f"{shown}\n\n{before.body}", "mail that you proposed"), f"Propose it again, changed.\n{words}"


def _gateway(case: GmailCase) -> ModelGateway:
    """The model. Raises `AgentsPaused`, and `NotAllowed` without a model or, for a search, without a mail search."""
    if case.toolbox.paused():
        raise AgentsPaused("The agents are paused.")
    if case.deps.gateway is None:
        raise NotAllowed(Cause.GMAIL_NEEDS_MODEL)
    if case.intent is Intent.SEARCH and case.toolbox.search is None:
        raise NotAllowed("There is no search in the mail of this program.")
    return case.deps.gateway


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
    update: GmailTaskState
    case = await asyncio.to_thread(open_case, work, deps)
    if case.toolbox.paused():
        raise AgentsPaused("The agents are paused.")
    call = next_call(case.talk)
    assert call is not None, "the turn before has a call"
    registry, ctx = case.registry, await asyncio.to_thread(case.context)
    if call.name == SEND.name and SEND.name in OF_INTENT[case.intent]:
        return await _propose(case, call, registry, ctx)
    outcome = await registry.execute(call, ctx)
    update = {"talk": dump(with_result(case.talk, call, _value(outcome)))}
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
    first = chosen[0] if chosen else None
    data: dict[str, Any] = {
        "action": "search",
        "result": "found" if first else "not_found",
        "subject": first.subject if first else "",
        "from": first.sender.email if first else "",
        "content": _excerpt(first) if first else "",
        "tool_used": True,
    }
    return GmailFound(data, answer, tuple(map(source_of, chosen)))


def source_of(message: Message) -> Source:
    return Source(SourceKind.MESSAGE, message.subject, _excerpt(message), message.id, readers(message))


def _excerpt(message: Message) -> str:
    """The first characters of a message's text, without quotes where possible."""
    return (newest_part(message.body_text) or message.body_text)[:EXCERPT]


OWNER = "user"


def gate(state: GmailTaskState) -> GmailTaskState:
    """Interrupts until the proposal is settled."""
    outcome: Any = None
    while not isinstance(outcome, Mapping) or outcome.get("status") not in OUTCOMES:
        outcome = interrupt(state["pending"])
    return {"outcome": dict(outcome)}


async def end(work: GmailTaskState, deps: GmailDeps, contract_id: str) -> GmailTaskState:
    """Adds the contract as the last message and the result to the context.

    `contract_id` is the message's id, so a repeated node does not add it twice.
    """
    if "found" in work:
        result = msgspec.convert(work["found"], GmailFound)
    else:
        pending = pending_of(work["pending"])
        case = await asyncio.to_thread(open_case, work, deps)
        call = next_call(case.talk)
        if call is None:
            raise NotAllowed("The call that was proposed is not in its conversation.")
        word = OwnerDecision(pending.plan_hash, work["outcome"]["status"] != "rejected", OWNER, deps.clock())
        ctx = await asyncio.to_thread(case.context, lambda _asked: word)
        ctx.paused, ctx.spent = not_paused, BudgetSpent()
        await case.registry.execute(call, ctx)  # finishes the audit row of the waiting call, even while agents are paused
        result = GmailFound(sent_data(pending, work["outcome"]), "", pending.sources)
    if CHOSEN in work["context"]:
        result = replace(result, data={**result.data, CHOSEN: work["context"][CHOSEN]})
    contract = completion_contract(Capability.GMAIL, result.data)
    context = {**work["context"], RESULTS: msgspec.to_builtins(result)}
    return {"messages": [AIMessage(contract, id=contract_id)], "context": context}


def sent_data(pending: PendingSend, outcome: Mapping[str, Any]) -> dict[str, Any]:
    """The contract data of a settled proposal. `outcome` has the final values when the owner changed the mail."""
    return {
        "action": "send",
        "status": outcome["status"],
        "to": str(outcome.get("to") or ", ".join(pending.args.to)),
        "subject": str(outcome.get("subject") or pending.args.subject),
        "attachment": bool(outcome.get("attachment", pending.args.attachments)),
        "tool_used": True,
    }
