"""What a research step works at: the tools that only read, the context that judges their calls, and what was read at it.

The tools and the policy are those of every other agent. Refuses whatever would leave a trace, and remembers which mails were
read, so that an answer can cite no other.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence

from app.agent.deps import ChatMessage
from app.agent.handlers.calendar import CHECK_CALENDAR, calendar_reading
from app.agent.handlers.case import Case
from app.agent.handlers.conversation import tokens_spent
from app.agent.handlers.documents import READ as READ_DOCUMENT
from app.agent.handlers.documents import document_tools
from app.agent.handlers.mail import CONTACT, THREAD, mail_tools
from app.agent.handlers.mail import SEARCH as MAIL_SEARCH
from app.agent.handlers.web import FETCH, web_tools
from app.agent.handlers.web import SEARCH as WEB_SEARCH
from app.agent.supervisor.reading import texts_read
from app.agent.supervisor.state import Job
from app.agent.supervisor.wording import Words, say
from app.agent.talk import turns
from app.agent.tools.context import CallContext
from app.agent.tools.outcomes import NeedsApproval, Outcome
from app.agent.tools.registry import Registry
from app.agent.tools.running import Tool
from app.agent.turns import ToolCall
from app.domain.call_flags import Chunk, Scope
from app.domain.errors import Refused
from app.domain.ids import MessageId
from app.domain.policy import Effect, Spent
from app.domain.provenance import leaves
from app.domain.recipients import own_addresses
from app.domain.tools import Json

LOOKING = frozenset({Effect.READ, Effect.NET})
NOBODY_ASKED = {"error": "This would need the owner's word; do without it."}
MAIL_READERS = frozenset({MAIL_SEARCH.name, THREAD.name})
PRIVATE_READERS = frozenset({CONTACT.name, CHECK_CALENDAR, READ_DOCUMENT.name})
"""Tools that give out what stands in no mail and is the owner's alone."""

TELLING: Mapping[str, tuple[Words, str]] = {
    MAIL_SEARCH.name: (Words.SEARCHING_MAIL, "query"),
    THREAD.name: (Words.READING_THREAD, ""),
    CONTACT.name: (Words.LOOKING_AT_CONTACT, "email"),
    CHECK_CALENDAR: (Words.LOOKING_AT_CALENDAR, ""),
    WEB_SEARCH.name: (Words.SEARCHING_WEB, "query"),
    FETCH.name: (Words.READING_PAGE, "url"),
    READ_DOCUMENT.name: (Words.READING_DOCUMENT, ""),
}
LONGEST_TOLD = 80


class Bench:
    """One step's. `mails` are the ids that were read, in order; `texts` every word that tools gave out, `budget` what it may use;
    `beyond`: some of what was read stands in no mail and is the owner's alone."""

    def __init__(self, registry: Registry, ctx: CallContext, job: Job) -> None:
        self.registry = registry
        self.budget = ctx.budget
        self.mails: dict[MessageId, None] = {}
        self.texts: list[str] = []
        self.beyond = False
        self._ctx = ctx
        self._job = job

    async def carry(self, call: ToolCall, talk: Sequence[ChatMessage] = ()) -> Json:
        """Carry a call out, or say why not; its result for the model."""
        self._ctx.spent = Spent(turns(talk), tokens_spent(talk))
        if call.name in TELLING:
            words, argument = TELLING[call.name]
            self._job.told(say(words, self._job.request.text, str(call.arguments.get(argument, ""))[:LONGEST_TOLD]))
        return self._noted(call, await self.registry.execute(call, self._ctx))

    def _noted(self, call: ToolCall, outcome: Outcome) -> Json:
        """What the outcome tells, remembered."""
        if isinstance(outcome, NeedsApproval):
            return dict(NOBODY_ASKED)
        value: Json = outcome.value
        if isinstance(value, dict) and "error" in value:
            return value
        self.texts += [str(one) for one in leaves(value) if one is not None]
        self.beyond = self.beyond or call.name in PRIVATE_READERS
        if call.name in MAIL_READERS and isinstance(value, dict):
            self.mails.update((MessageId(one["id"]), None) for one in value.get("messages", ()))
        return value


async def open_bench(job: Job) -> Bench:
    """The bench of a step. Raises `Refused` where agents have no tools."""
    return await asyncio.to_thread(_open, job)


def _open(job: Job) -> Bench:
    deps, request = job.deps, job.request
    box = deps.toolbox
    if box is None:
        raise Refused("The agents have no tools here.")
    case = Case(deps=deps, toolbox=box, run_id=request.run_id, account=job.account)
    registry = Registry(one for one in _tools(case, job) if one.definition.effect in LOOKING)
    files = frozenset(one.id for one in request.documents)
    scope = Scope(
        request=request.text,
        own=own_addresses(job.account),
        hosts=box.hosts,
        artifacts=files.__contains__,
        skeleton=deps.skeleton,
    )
    names, book = registry.names, box.book
    ctx = CallContext(request.run_id, names, deps.clock, scope, budget=box.budget, audit=book.note, paused=box.paused)
    for chunk in (*texts_read(job.results.values(), deps), *(Chunk(one.answer) for one in job.results.values())):
        ctx.observe(chunk.text, chunk.trusted, chunk.readers, chunk.public)
    return Bench(registry, ctx, job)


def _tools(case: Case, job: Job) -> Iterable[Tool]:
    """Whatever reads; documents only where this request has made some."""
    yield from mail_tools(case)
    yield from calendar_reading(case)
    yield from web_tools(case)
    if job.request.documents:
        yield from document_tools(case)
