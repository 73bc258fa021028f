"""Put together for each node anew: the case, the registry with the tools that have what they need, and the context by which calls
are judged. Everything comes from the state and the store, so that a run goes on after a crash with the same eyes.
"""

import asyncio
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import chain
from typing import Any

from app.agent.deps import Deps
from app.agent.handlers.calendar import calendar_tools
from app.agent.handlers.case import MailCase
from app.agent.handlers.conversation import tokens_spent
from app.agent.handlers.documents import document_tools
from app.agent.handlers.mail import SEARCH as MAIL_SEARCH
from app.agent.handlers.mail import THREAD, chunk_of, mail_tools
from app.agent.handlers.pharmacy import pharmacy_tools
from app.agent.handlers.proposing import proposing_tools
from app.agent.handlers.remembering import memory_tools
from app.agent.handlers.web import web_tools
from app.agent.state import MailState, message_id_of, run_id_of
from app.agent.talk import load, turns
from app.agent.tools.context import CallContext
from app.agent.tools.outcomes import Approvals, no_approvals
from app.agent.tools.registry import Registry
from app.agent.tools.running import Tool
from app.domain.call_flags import Chunk, Scope
from app.domain.errors import NotFound, Refused
from app.domain.ids import MessageId
from app.domain.mail import Account, Message
from app.domain.policy import Budget, Spent
from app.domain.recipients import own_addresses
from app.domain.red_flags import participants
from app.domain.review import RedFlag

HOUR = timedelta(hours=1)
MAIL_READERS = frozenset({MAIL_SEARCH.name, THREAD.name})
"""Tools whose results are mails, named by id."""


@dataclass(frozen=True, slots=True)
class Casework:
    """A case with its tools, and the names of those the agent may use."""

    case: MailCase
    served: tuple[Tool, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """What the profile lists and what its servers bring."""
        return (*self.case.profile.tools, *(one.definition.name for one in self.served))

    def registry(self, call_id: str = "", flags: tuple[RedFlag, ...] = ()) -> Registry:
        """The tools, bound to the case and to one call."""
        case = replace(self.case, call_id=call_id, flags=flags)
        makers = (mail_tools, calendar_tools, proposing_tools, web_tools, document_tools, memory_tools, pharmacy_tools)
        own = (tool for maker in makers for tool in maker(case) if tool.definition.name in case.profile.tools)
        return Registry(chain(own, self.served))


def open_case(state: MailState, deps: Deps) -> Casework:
    """The case of a run. Raises `Refused` where there is no such profile, or no model it can use."""
    profile = deps.profile(state["profile"])
    if profile is None:
        raise Refused(f"There is no agent profile {state['profile']}.")
    if deps.toolbox is None or deps.gateway is None:
        raise Refused(f"The agent profile {profile.name} needs a language model, and none is configured.")
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
    return Casework(case, tuple(deps.toolbox.served(profile)))


async def context_of(work: Casework, registry: Registry, approvals: Approvals = no_approvals) -> CallContext:
    """The context of the run as it stands: its scope, what it has read, what it has spent."""
    return await asyncio.to_thread(_context, work, registry, approvals)


def _context(work: Casework, registry: Registry, approvals: Approvals) -> CallContext:
    case = work.case
    deps, toolbox, talk = case.deps, case.toolbox, load(case.state)
    ctx = CallContext(
        case.run_id,
        work.names,
        deps.clock,
        _scope(case, case.account, case.message),
        approvals,
        _budget(toolbox.budget, case.profile.max_iterations),
        toolbox.book.note,
        toolbox.paused,
    )
    recent = toolbox.book.sends_since(deps.clock() - HOUR)
    ctx.spent = Spent(turns(talk), tokens_spent(talk), len(case.state.get("sends", [])), recent)
    for mail in deps.corpus.thread(case.message.thread_id):
        _read(ctx, chunk_of(mail))
    for chunk in _results(talk, registry, deps):
        _read(ctx, chunk)
    return ctx


def _budget(usual: Budget, iterations: int) -> Budget:
    """A profile's turns are its own."""
    return replace(usual, iterations=iterations)


def _scope(case: MailCase, account: Account, message: Message) -> Scope:
    """Nobody typed a request here: a stranger's mail began the run."""
    deps = case.deps
    thread = deps.corpus.thread(message.thread_id)
    own = own_addresses(account)
    people = participants(thread)

    def written_to(address: str) -> bool:
        card = deps.corpus.contact(account.id, address)
        return address in own or (card is not None and card.sent > 0)

    artifacts = case.toolbox.artifacts
    return Scope(
        began="\n".join([*(chunk_of(one).text for one in thread), *sorted(people | own)]),
        participants=people,
        written_to=written_to,
        known_domains=frozenset(one.rpartition("@")[2] for one in people if written_to(one)),
        own=own,
        owner_words="\n".join([deps.background, account.signature, *(one.body_text for one in thread if one.outgoing)]),
        hosts=case.toolbox.hosts,
        artifacts=artifacts.has if artifacts is not None else lambda _handle: False,
        skeleton=deps.skeleton,
    )


def _results(talk: Iterable[Mapping[str, Any]], registry: Registry, deps: Deps) -> Iterable[Chunk]:
    """What tools gave out before: mails by their ids, everything else as it stands."""
    for one in talk:
        if one["role"] != "tool":
            continue
        definition = registry.definition(one["name"])
        if one["name"] in MAIL_READERS:
            yield from _mails(json.loads(one["content"]), deps)
        else:
            yield Chunk(one["content"], public=definition is not None and definition.public)


def _mails(result: Mapping[str, Any], deps: Deps) -> Iterable[Chunk]:
    for shown in result.get("messages", ()):
        try:
            yield chunk_of(deps.corpus.message(MessageId(int(shown["id"]))))
        except NotFound:
            yield Chunk(str(shown.get("text", "")))


def _read(ctx: CallContext, chunk: Chunk) -> None:
    ctx.observe(chunk.text, chunk.trusted, chunk.readers, chunk.public)
