"""The nodes of the Gmail agent's graph, and the case of a task: account, tools and what calls are judged by.

`intent` asks the model what the task is for, from the owner's texts alone, before any mail is read; `turn` takes one turn, and
asks again once where it has no call; `act` runs one call, where `gmail_send` only becomes a proposal; `gate` is the only
interrupt, and has no effect; `end` writes the contract. Each node builds the case anew, so a task continues after a crash.
"""

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Any

import msgspec
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.types import interrupt

from app.agent.agents.builtin_tools.services import chunk_of
from app.agent.agents.gmail.interface import (
    CHOSEN,
    OUTCOMES,
    RESULTS,
    GmailFound,
    GmailTaskState,
    Intent,
    PendingSend,
    TaskContext,
    given_of,
    pending_of,
    said_by,
)
from app.agent.agents.gmail.tools import DONE, READ_FILE, SEARCH, SEND, AllowedReferences, checked, gmail_tools
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
from app.agent.runtime.dependencies import GmailDeps, owner_prompt, owner_scope
from app.agent.tools.registry import UNFIT, Registry, Toolbox, note
from app.agent.tools.tool_calls import (
    Approvals,
    CallContext,
    Denied,
    NeedsApproval,
    Outcome,
    OwnerDecision,
    ReadTexts,
    Result,
    no_approvals,
    not_paused,
)
from app.domain.agents.call_flags import ReadText
from app.domain.agents.provenance import said_in
from app.domain.agents.requests import Capability, completion_contract
from app.domain.drafting.draft import Source, SourceKind
from app.domain.error_texts import Cause
from app.domain.errors import AgentsPaused, NotAllowed, NotFound
from app.domain.ids import MessageId, RunId
from app.domain.mail.message import Account, Message
from app.domain.mail.quotes import newest_part
from app.domain.mail.recipients import own_addresses
from app.domain.policy.policy import BudgetSpent, PolicyReason
from app.domain.policy.red_flags import participants, readers
from app.domain.record import Record, replace

HOUR = timedelta(hours=1)

OF_INTENT: Mapping[Intent, tuple[str, ...]] = {
    Intent.SEARCH: (SEARCH.name, READ_FILE.name, DONE.name),
    Intent.SEND: (SEARCH.name, READ_FILE.name, SEND.name),
}
"""The tools of each intent. A search cannot send, whatever it reads."""


class GmailCase(Record):
    """A task in progress.

    `talk` are the turns so far, `words` the owner's texts, `earlier` the contracts of earlier steps, `mails` the found messages
    in the order they were found.
    """

    deps: GmailDeps
    toolbox: Toolbox
    given: TaskContext
    account: Account
    intent: Intent
    talk: list[ChatMessage]
    words: tuple[str, ...]
    earlier: tuple[str, ...]
    mails: tuple[Message, ...]

    @property
    def registry(self) -> Registry:
        """The tools whose services are available."""
        found = frozenset(one.id for one in self.mails) if searched(self.talk) else None
        return Registry(gmail_tools(self.account.id, self.toolbox, self.given, found))

    @property
    def typed(self) -> str:
        return "\n".join((self.given.request, self.given.feedback))

    @property
    def known(self) -> AllowedReferences:
        """What a proposed mail may name. Its `address` reads the store: call it off the loop."""
        before = self.given.before
        named = frozenset((*before.to, *before.cc, *before.bcc)) if before else frozenset[str]()
        answered = {before.reply_to} if before and before.reply_to else set[int]()
        read = (*self.words, self.typed, *self.earlier, *_texts(self.talk), *(chunk_of(one).text for one in self.mails))
        people = participants(self.mails) | own_addresses(self.account) | named

        def address(one: str) -> bool:
            known = one in people or any(said_in(one, text) for text in read)
            return known or self.deps.corpus.contact(self.account.id, one) is not None

        return AllowedReferences(self.given.documents, frozenset({*answered, *(one.id for one in self.mails)}), address)

    def context(self, approvals: Approvals = no_approvals) -> CallContext:
        """What the calls are judged by: the owner's texts, everything read so far, and the budget spent.

        Reads the store: call it in a thread.
        """
        deps, toolbox = self.deps, self.toolbox
        handles = frozenset(one.handle for one in self.given.documents)
        scope = owner_scope(deps, deps.corpus.contact, self.account, participants(self.mails))
        scope = replace(scope, request=self.typed, artifacts=handles.__contains__)
        names, note = OF_INTENT[self.intent], toolbox.book.note
        ctx = CallContext(self.given.run_id, names, deps.clock, scope, approvals, toolbox.budget, note, toolbox.paused)
        ctx.spent = BudgetSpent(tokens=tokens_spent(self.talk), sends_this_hour=toolbox.book.sends_since(deps.clock() - HOUR))
        ctx.observe(ReadTexts(None, (*map(chunk_of, self.mails), *map(ReadText, (*self.earlier, *_texts(self.talk))))))
        return ctx


def completed(context: Mapping[str, Any], deps: GmailDeps, run_id: RunId) -> dict[str, Any]:
    """The context with an account and a run.

    Without an account it is the first one, and `CHOSEN` says so where there are several. Raises `NotAllowed`.
    """
    given = given_of(context)
    added: dict[str, Any] = {} if given.run_id else {"run_id": run_id}
    if not given.account_id:
        accounts = deps.corpus.accounts()
        if not accounts:
            raise NotAllowed("There is no mailbox here.", "Connect an account in Replyroom first.")
        added["account_id"] = accounts[0].id
        if len(accounts) > 1:
            names = ", ".join(one.email for one in accounts)
            added[CHOSEN] = f"No account was named in context.account_id; of {names} the first was taken."
    return {**context, **added}


def open_case(work: GmailTaskState, deps: GmailDeps) -> GmailCase:
    """Builds the case. Messages that searches returned and that are deleted since are left out. Reads the store: call it in a
    thread. Raises `NotAllowed` without a toolbox or with an unreadable context, `NotFound` for a missing account.
    """
    if deps.toolbox is None:
        raise NotAllowed("The Gmail agent needs its tools, and none are set up.")
    given = given_of(work["context"])
    talk: list[ChatMessage] = json.loads(work.get("talk") or "[]")
    account = deps.corpus.account(given.account_id)
    mails: dict[MessageId, Message] = {}
    for one in (shown for result in _searches(talk) for shown in result.get("messages", ())):
        with suppress(NotFound):
            mails[MessageId(int(one["id"]))] = deps.corpus.message(MessageId(int(one["id"])))
    owner_texts, contracts = said_by(work["messages"], HumanMessage), said_by(work["messages"], AIMessage)
    intent = Intent(work.get("intent") or Intent.SEARCH)
    return GmailCase(deps, deps.toolbox, given, account, intent, talk, owner_texts, contracts, tuple(mails.values()))


def _searches(talk: list[ChatMessage]) -> Iterator[Mapping[str, Any]]:
    return (json.loads(one["content"]) for one in talk if one["role"] == "tool" and one["name"] == SEARCH.name)


def _texts(talk: list[ChatMessage]) -> tuple[str, ...]:
    """Results of `read_file_content`. Messages are not needed here: they are read whole from the store."""
    return tuple(one["content"] for one in talk if one["role"] == "tool" and one["name"] == READ_FILE.name)


def searched(talk: list[ChatMessage]) -> bool:
    """Whether a search has returned, even with no hits."""
    return any("messages" in result for result in _searches(talk))


def offered(case: GmailCase, most_turns: int) -> tuple[str, ...]:
    """The tools of the next turn.

    Before the first search a search task may only read. In the last turn only the ending tool is left.
    """
    ending = SEND.name if case.intent is Intent.SEND else DONE.name
    if case.intent is Intent.SEARCH and not searched(case.talk):
        return (SEARCH.name, READ_FILE.name)
    return (ending,) if turns(case.talk) + 1 >= most_turns else OF_INTENT[case.intent]


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
