"""The case of a profile run: its tools and the context by which calls are judged.

Each node builds it anew from the state and the store, so a run continues after a crash.
"""

import asyncio
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from itertools import chain
from typing import Any

from app.agent.agents.builtin_tools.calendar import calendar_tools
from app.agent.agents.builtin_tools.case import MailCase
from app.agent.agents.builtin_tools.documents import document_tools
from app.agent.agents.builtin_tools.mail import chunk_of, mail_tools
from app.agent.agents.builtin_tools.pharmacy import pharmacy_tools
from app.agent.agents.builtin_tools.proposals import SEND, memory_tools, proposing_tools
from app.agent.agents.builtin_tools.web import web_tools
from app.agent.agents.calls import AgentCase
from app.agent.llm.prompts import MAIL_READERS
from app.agent.runtime.conversation import load, tokens_spent, turns
from app.agent.runtime.dependencies import Deps, owner_scope
from app.agent.runtime.state import MailState, message_id_of, run_id_of
from app.agent.tools.execution import RegisteredTool
from app.agent.tools.registry import Registry
from app.agent.tools.tool_calls import Approvals, CallContext, ReadTexts, no_approvals
from app.domain.agents.call_flags import CallScope, ReadText
from app.domain.drafting.draft import Draft
from app.domain.drafting.review import RedFlag
from app.domain.errors import NotAllowed, NotFound
from app.domain.ids import MessageId
from app.domain.mail.message import Account, Message
from app.domain.policy.policy import BudgetSpent
from app.domain.policy.red_flags import participants
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
        """The available tools, bound to one call."""
        case = replace(self.case, call_id=call_id, flags=flags)
        makers = (mail_tools, calendar_tools, proposing_tools, web_tools, document_tools, memory_tools, pharmacy_tools)
        own = (tool for maker in makers for tool in maker(case) if tool.definition.name in case.profile.tools)
        return Registry(chain(own, self.served))

    async def context(self, registry: Registry, approvals: Approvals = no_approvals) -> CallContext:
        """The scope of the calls, what the run has read, and the budget spent."""
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
    case = work.case
    deps, toolbox, talk = case.deps, case.toolbox, load(case.state)
    ctx = CallContext(
        case.run_id,
        work.names,
        deps.clock,
        _scope(case, case.account, case.message),
        approvals,
        replace(toolbox.budget, iterations=case.profile.max_iterations),
        toolbox.book.note,
        toolbox.paused,
    )
    recent = toolbox.book.sends_since(deps.clock() - HOUR)
    ctx.spent = BudgetSpent(turns(talk), tokens_spent(talk), len(case.state.get("sends", [])), recent)
    mails = map(chunk_of, deps.corpus.thread(case.message.thread_id))
    ctx.observe(ReadTexts(None, (*mails, *_results(talk, registry, deps))))
    return ctx


def _scope(case: MailCase, account: Account, message: Message) -> CallScope:
    """The scope of the calls. There is no typed request: a stranger's mail began the run."""
    thread = case.deps.corpus.thread(message.thread_id)
    people = participants(thread)
    scope = owner_scope(case.deps, case.deps.corpus.contact, account, people)
    artifacts = case.toolbox.artifacts
    return replace(
        scope,
        began="\n".join([*(chunk_of(one).text for one in thread), *sorted(people | scope.own)]),
        participants=people,
        owner_words="\n".join([scope.owner_words, *(one.body_text for one in thread if one.outgoing)]),
        hosts=case.toolbox.hosts,
        artifacts=artifacts.has if artifacts is not None else lambda _handle: False,
    )


def _results(talk: Iterable[Mapping[str, Any]], registry: Registry, deps: Deps) -> Iterable[ReadText]:
    """Earlier tool results: messages by id, everything else as text."""
    for one in talk:
        if one["role"] != "tool":
            continue
        definition = registry.definition(one["name"])
        if one["name"] in MAIL_READERS:
            yield from _mails(json.loads(one["content"]), deps)
        else:
            yield ReadText(one["content"], public=definition is not None and definition.public)


def _mails(result: Mapping[str, Any], deps: Deps) -> Iterable[ReadText]:
    for shown in result.get("messages", ()):
        try:
            yield chunk_of(deps.corpus.message(MessageId(int(shown["id"]))))
        except NotFound:
            yield ReadText(str(shown.get("text", "")))
