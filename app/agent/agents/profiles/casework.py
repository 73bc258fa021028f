"""The case of a profile run: its tools and the context by which calls are judged.

Each node builds it anew from the state and the store, so a run continues after a crash.
"""

import asyncio
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import chain
from typing import Any, cast

from app.agent.agents.builtin_tools.pharmacy import pharmacy_tools
from app.agent.agents.builtin_tools.proposals import SEND, memory_tools, proposing_tools
from app.agent.agents.builtin_tools.services import MailCase, calendar_tools, chunk_of, document_tools, mail_tools, web_tools
from app.agent.agents.calls import NOTHING_LEFT, AgentCase
from app.agent.llm.prompts import MAIL_READERS, chat, fence
from app.agent.llm.turns import ChatMessage, ModelMisconfigured, ToolCall, UnusableAnswer
from app.agent.runtime.conversation import dump, load, tokens_spent, turns, with_result, with_turn, with_words
from app.agent.runtime.dependencies import Deps, owner_prompt, owner_scope
from app.agent.runtime.run_recorder import loaded
from app.agent.runtime.state import MailState, Update, message_id_of, run_id_of, state_from_review
from app.agent.runtime.transitions import Node
from app.agent.tools.registry import RegisteredTool, Registry
from app.agent.tools.tool_calls import Approvals, CallContext, ReadTexts, no_approvals
from app.domain.agents.call_flags import ReadText
from app.domain.agents.runs import AgentStatus, Route, StepLog
from app.domain.drafting.draft import Draft
from app.domain.drafting.review import Action, RedFlag, Review, request_of
from app.domain.errors import AgentsPaused, NotAllowed, NotFound
from app.domain.ids import MessageId
from app.domain.policy.policy import BudgetSpent
from app.domain.policy.red_flags import participants
from app.domain.ports.agents import ReviewDecision
from app.domain.record import replace

HOUR = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class ProfileCase(AgentCase):
    """A case with the tools of the profile's MCP servers."""

    state: MailState
    deps: Deps
    maker: str
    case: MailCase
    served: tuple[RegisteredTool, ...]

    letter = SEND.name
    sent = (SEND.name,)

    @property
    def names(self) -> tuple[str, ...]:
        """Tools that the profile lists and those of its MCP servers."""
        return (*self.case.profile.tools, *(one.definition.name for one in self.served))

    def registry(self, call_id: str = "", flags: tuple[RedFlag, ...] = ()) -> Registry:
        case = replace(self.case, call_id=call_id, flags=flags)
        makers = (mail_tools, calendar_tools, proposing_tools, web_tools, document_tools, memory_tools, pharmacy_tools)
        own = (tool for maker in makers for tool in maker(case) if tool.definition.name in case.profile.tools)
        return Registry(chain(own, self.served))

    async def context(self, registry: Registry, approvals: Approvals = no_approvals) -> CallContext:
        return await asyncio.to_thread(_context, self, registry, approvals)

    def arguments(self, draft: Draft) -> dict[str, Any]:
        to = draft.recipients[0].email if draft.recipients else ""
        return {"to": to, "subject": draft.subject, "body": draft.body}


def open_case(state: MailState, deps: Deps) -> ProfileCase:
    """Builds the case. Raises `NotAllowed` for an unknown profile or without a model."""
    profile = deps.profile(state["profile"])
    if profile is None:
        raise NotAllowed(f"There is no agent profile {state['profile']}.")
    if deps.toolbox is None or deps.gateway is None:
        raise NotAllowed(f"The agent profile {profile.name} needs a language model, and none is configured.")
    message = deps.corpus.message(message_id_of(state))
    account = deps.corpus.account(message.account_id)
    case = MailCase(
        deps=deps,
        toolbox=deps.toolbox,
        run_id=run_id_of(state),
        account=account,
        maker=profile.model,
        state=state,
        profile=profile,
        message=message,
        given=deps.preprocess(message),
    )
    return ProfileCase(state, deps, profile.model, case, tuple(deps.toolbox.served(profile)))


def _context(work: ProfileCase, registry: Registry, approvals: Approvals) -> CallContext:
    """The scope of the calls, what the run has read, and the budget spent. There is no typed request: a mail began the run."""
    case = work.case
    deps, toolbox, talk, artifacts = case.deps, case.toolbox, load(case.state), case.toolbox.artifacts
    thread = deps.corpus.thread(case.message.thread_id)
    mails, people = [chunk_of(one) for one in thread], participants(thread)
    scope = owner_scope(deps, deps.corpus.contact, case.account, people)
    scope = replace(
        scope,
        began="\n".join([*(one.text for one in mails), *sorted(people | scope.own)]),
        participants=people,
        owner_words="\n".join([scope.owner_words, *(one.body_text for one in thread if one.outgoing)]),
        hosts=toolbox.hosts,
        artifacts=artifacts.has if artifacts is not None else lambda _handle: False,
    )
    budget = replace(toolbox.budget, iterations=case.profile.max_iterations)
    ctx = CallContext(case.run_id, work.names, deps.clock, scope, approvals, budget, toolbox.book.note, toolbox.paused)
    recent = toolbox.book.sends_since(deps.clock() - HOUR)
    ctx.spent = BudgetSpent(turns(talk), tokens_spent(talk), len(case.state.get("sends", [])), recent)
    ctx.observe(ReadTexts(None, (*mails, *_results(talk, registry, deps))))
    return ctx


def _results(talk: Iterable[Mapping[str, Any]], registry: Registry, deps: Deps) -> Iterable[ReadText]:
    """Earlier tool results: messages by id, everything else as text."""
    for one in talk:
        if one["role"] == "tool" and one["name"] not in MAIL_READERS:
            definition = registry.definition(one["name"])
            yield ReadText(one["content"], public=definition is not None and definition.public)
        elif one["role"] == "tool":
            for shown in json.loads(one["content"]).get("messages", ()):
                try:
                    yield chunk_of(deps.corpus.message(MessageId(int(shown["id"]))))
                except NotFound:
                    yield ReadText(str(shown.get("text", "")))


CALL_TYPE = "agent"


async def speak(state: MailState, deps: Deps) -> Update:
    """Adds the model's next turn to the conversation, or says how the run ends."""
    work = open_case(state, deps)
    talk = load(state)
    if turns(talk) >= work.case.profile.max_iterations:
        return {**NOTHING_LEFT, "finish": AgentStatus.MAX_ITERATIONS.value}
    if tokens_spent(talk) > work.case.toolbox.budget.tokens:
        return {**NOTHING_LEFT, "finish": AgentStatus.ERROR.value, "failure": "The run has used up its tokens."}
    if work.case.toolbox.paused():
        raise AgentsPaused("The agents are paused.")
    gateway = deps.profile_gateway(work.case.profile)
    if gateway is None:
        raise NotAllowed(
            f"The agent profile {work.case.profile.name} needs a language model: there is no key for {work.case.profile.model}.",
            "Enter the provider's key in Settings, or name another model in the profile.",
        )
    if not talk:
        await asyncio.to_thread(work.case.toolbox.book.begin, run_id_of(state), state["profile"])
    registry = work.registry()
    messages = [*request(work), *talk]
    try:
        deps.check_leaving(work.case.message.thread_id)
        turn = await gateway.tools(run_id_of(state), CALL_TYPE, messages, registry.specs(), required=False)
    except (UnusableAnswer, ModelMisconfigured) as error:
        return {**NOTHING_LEFT, "finish": AgentStatus.ERROR.value, "failure": str(error)}
    spoken = with_turn(talk, turn.text, turn.calls, state.get("stretch", ""))
    ended = "" if turn.calls else AgentStatus.COMPLETED.value
    return {**NOTHING_LEFT, "messages": dump(spoken), "finish": ended}


def request(work: ProfileCase) -> list[ChatMessage]:
    """The messages before the conversation: the profile's instructions and the preprocessed mail."""
    case = work.case
    system = owner_prompt(case.deps, case.account, "profile", instructions=case.profile.system_prompt)
    return chat(system, fence(case.given.prompt, f"mail {MessageId(case.message.id)}", case.message))


LEFT_BY = frozenset({"create_draft"})
"""Calls that do not wait for the owner. The model already has their result."""


def profile_of(logs: Sequence[StepLog]) -> str:
    """The profile of a run, by its first step. Empty for other runs."""
    began = loaded(logs[0].input_state) if logs else {}
    return str(began.get("profile", "")) if began.get("route") == Route.AGENT else ""


def after_agents_review(review: Review, decided: ReviewDecision, profile: str) -> MailState | None:
    """The state in which a run continues after its review. None when nothing is left to do.

    A reply that the owner asks for on a notice, an escalation or a failure is drafted by the pipeline.
    """
    action, arguments = request_of(review.proposal.request_json)
    if not action:
        return state_from_review(review, decided.text) if decided.action == Action.RESPOND else None
    stretch = f"r{review.id}_{review.revision}_"
    call = ToolCall(f"{stretch}c1_1", action, arguments)
    talk = with_turn([], "", [call], stretch)
    state: dict[str, Any] = {**state_from_review(review, ""), "route": Route.AGENT.value, "profile": profile, "stretch": stretch}
    for name in ("review_id", "revision"):
        state.pop(name, None)
    if action not in LEFT_BY:
        waiting = {"entry": Node.PROFILE_GATE.value, "review_id": review.id, "call_id": call.id, "requires_approval": True}
        return cast(MailState, {**state, **waiting, "messages": dump(talk), "plan_hash": review.proposal.plan_hash})
    if decided.action != Action.RESPOND:
        return None
    talk = with_words(with_result(talk, call, {"status": "created"}), decided.text)
    return cast(MailState, {**state, "messages": dump(talk)})
