"""The Researcher agent: a bounded loop of tool calls that ends with an answer citing the messages it read.

The model reads what strangers wrote, so its tools can only read, and code checks what it cites. Tools and policy are shared with
the other agents. Without a model the agent only searches.
"""

import asyncio
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from app.agent.agents.assistant.ask_model import asked
from app.agent.agents.assistant.search import MOST_FOUND, asks_for_more, asks_received, says_any, search_words, since_day
from app.agent.agents.assistant.sources import BEYOND, READ, checked, mail_sources, mails_read, texts_read
from app.agent.agents.assistant.state import LocalizedText, StepJob, say
from app.agent.agents.builtin_tools.calendar import calendar_reading
from app.agent.agents.builtin_tools.case import Case
from app.agent.agents.builtin_tools.documents import READ as READ_DOCUMENT
from app.agent.agents.builtin_tools.documents import document_tools
from app.agent.agents.builtin_tools.mail import CONTACT, MOST_HITS, SEARCH, THREAD, mail_tools
from app.agent.agents.builtin_tools.mail import SEARCH as MAIL_SEARCH
from app.agent.agents.builtin_tools.web import FETCH, web_tools
from app.agent.agents.builtin_tools.web import SEARCH as WEB_SEARCH
from app.agent.llm.answers import AnswerFormatError, parse_object
from app.agent.llm.prompts import MAIL_READERS
from app.agent.llm.schemas import schema_errors
from app.agent.llm.turns import ChatMessage, ModelGateway, ToolCall, UnusableAnswer
from app.agent.retrieval import mail_text, near_enough
from app.agent.runtime.conversation import next_call, tokens_spent, turns, with_result, with_turn
from app.agent.tools.execution import RegisteredTool
from app.agent.tools.registry import Registry, a_text, an_object
from app.agent.tools.tool_calls import CallContext, NeedsApproval, Outcome, ReadTexts, as_json
from app.domain.agents.call_flags import CallScope, ReadText
from app.domain.agents.provenance import leaves
from app.domain.agents.requests import Capability, StepResult, completion_contract
from app.domain.agents.tools import Json
from app.domain.drafting.draft import Source, SourceKind
from app.domain.drafting.meeting import CHECK_CALENDAR
from app.domain.error_texts import Cause
from app.domain.errors import NotAllowed
from app.domain.ids import MessageId, ThreadId
from app.domain.mail.quotes import newest_part
from app.domain.mail.recipients import own_addresses
from app.domain.policy.policy import BudgetSpent, Effect
from app.domain.record import Record

LOOKING = frozenset({Effect.READ, Effect.NET})
NOBODY_ASKED = {"error": "This would need the owner's word; do without it."}
PAGE_READERS = frozenset({WEB_SEARCH.name, FETCH.name})
PRIVATE_READERS = frozenset({CONTACT.name, CHECK_CALENDAR, READ_DOCUMENT.name})
"""Tools that return private data that is in no message."""

TELLING: Mapping[str, tuple[LocalizedText, str]] = {
    MAIL_SEARCH.name: (LocalizedText.SEARCHING_MAIL, "query"),
    THREAD.name: (LocalizedText.READING_THREAD, ""),
    CONTACT.name: (LocalizedText.LOOKING_AT_CONTACT, "email"),
    CHECK_CALENDAR: (LocalizedText.LOOKING_AT_CALENDAR, ""),
    WEB_SEARCH.name: (LocalizedText.SEARCHING_WEB, "query"),
    FETCH.name: (LocalizedText.READING_PAGE, "url"),
    READ_DOCUMENT.name: (LocalizedText.READING_DOCUMENT, ""),
}
LONGEST_TOLD = 80
EXCERPT = 1200
"""Characters of a page in a source."""


class ResearchSession:
    """The tools of one step and what was read with them.

    `mails` are the ids of the messages read, in order, `pages` the web pages by address. `texts` is everything tools returned.
    `beyond` is set once something private was read that is in no message.
    """

    def __init__(self, registry: Registry, ctx: CallContext, job: StepJob) -> None:
        self.registry = registry
        self.budget = ctx.budget
        self.mails: dict[MessageId, None] = {}
        self.pages: dict[str, Source] = {}
        self.texts: list[str] = []
        self.beyond = False
        self._ctx, self._job = ctx, job

    async def carry(self, call: ToolCall, talk: Sequence[ChatMessage] = ()) -> Json:
        """Runs a call and returns the result or the error for the model."""
        self._ctx.spent = BudgetSpent(turns(talk), tokens_spent(talk))
        if call.name in TELLING:
            words, argument = TELLING[call.name]
            self._job.told(say(words, self._job.request.text, str(call.arguments.get(argument, ""))[:LONGEST_TOLD]))
        return self._remember(call, await self.registry.execute(call, self._ctx))

    def _remember(self, call: ToolCall, outcome: Outcome) -> Json:
        if isinstance(outcome, NeedsApproval):
            return dict(NOBODY_ASKED)
        value: Json = outcome.value
        if isinstance(value, dict) and "error" in value:
            return value
        self.texts += [str(one) for one in leaves(value) if one is not None]
        self.beyond = self.beyond or call.name in PRIVATE_READERS
        if call.name in MAIL_READERS and isinstance(value, dict):
            self.mails.update((MessageId(one["id"]), None) for one in value.get("messages", ()))
        if call.name in PAGE_READERS and isinstance(value, dict):
            self.pages.update((one["url"], _page(one)) for one in value.get("results", [value]))
        return value


def _page(found: Mapping[str, Any]) -> Source:
    """A web page as a source. Its address is in the title, so that it is cited like a message."""
    text = str(found.get("text") or found.get("snippet") or "")[:EXCERPT]
    return Source(SourceKind.PAGE, f"{found.get('title') or found['url']} ({found['url']})", text)


async def open_bench(job: StepJob) -> ResearchSession:
    """Opens the session of a step. Raises `NotAllowed` without a toolbox."""
    return await asyncio.to_thread(_open, job)


def _open(job: StepJob) -> ResearchSession:
    deps, request = job.deps, job.request
    box = deps.toolbox
    if box is None:
        raise NotAllowed("The agents have no tools here.")
    within = request.scope.conversation
    thread = deps.corpus.message(within).thread_id if within else ThreadId(0)
    case = Case(deps=deps, toolbox=box, run_id=request.run_id, account=job.account, scope=request.scope, conversation=thread)
    registry = Registry(one for one in _tools(case, job) if one.definition.effect in LOOKING)
    files = frozenset(one.id for one in request.documents)
    scope = CallScope(request=request.text, own=own_addresses(job.account), hosts=box.hosts, artifacts=files.__contains__)
    names, book = registry.names, box.book
    ctx = CallContext(request.run_id, names, deps.clock, scope, budget=box.budget, audit=book.note, paused=box.paused)
    before = job.results.values()
    ctx.observe(ReadTexts(None, (*texts_read(before, deps), *(ReadText(one.answer) for one in before))))
    return ResearchSession(registry, ctx, job)


def _tools(case: Case, job: StepJob) -> Iterable[RegisteredTool]:
    """The candidate tools. Document tools only when this request has documents."""
    yield from mail_tools(case)
    yield from calendar_reading(case)
    yield from web_tools(case)
    if job.request.documents:
        yield from document_tools(case)


CALL_TYPE = "agent"
LONGEST_S = 240.0
"""Seconds after which the model must answer."""
MOST_CITED = 30

ANSWER = "answer"
ANSWER_FORM = an_object(
    ("text", "mails"),
    text=a_text("The answer, in plain text.", 12_000, pattern=r"\S"),
    mails={"type": "array", "items": {"type": "integer"}, "description": "The id of each mail that the answer rests on."},
    pages={"type": "array", "items": {"type": "string"}, "description": "The address of each web page that it rests on."},
)
ANSWER_SPEC = {
    "type": "function",
    "function": {"name": ANSWER, "description": "Give the answer. This ends your step.", "parameters": ANSWER_FORM},
}
REMIND: ChatMessage = {"role": "user", "content": "Call a tool: one that looks something up, or answer."}
CLOSE: ChatMessage = {"role": "user", "content": "You can look nothing up any more. Call answer with what you have."}
TOO_LATE = {"error": "You can look nothing up any more. Call answer."}


class ResearchAnswer(Record):
    """The model's answer, and the message ids and addresses of pages it claims to cite."""

    text: str
    mails: tuple[MessageId, ...] = ()
    pages: tuple[str, ...] = ()


async def research(job: StepJob) -> StepResult:
    """Researches the step's instruction. Where the model has no answer and no later step needs one, it only searches.

    Raises `UnusableAnswer` when the loop ends without an answer, `AgentsPaused`, `NotAllowed`, and the gateway's errors.
    """
    session = await open_bench(job)
    if job.deps.gateway is None:
        return await _searched(job, session)
    try:
        found = await _ResearchLoop(job, session, job.deps.gateway).run()
    except UnusableAnswer as error:
        if len(job.request.steps) > 1:
            raise
        try:
            return await _searched(job, await open_bench(job), LocalizedText.MODEL_SILENT)
        except NotAllowed:
            raise error from None
    return await asyncio.to_thread(_result, job, session, found)


class _ResearchLoop:
    def __init__(self, job: StepJob, session: ResearchSession, model: ModelGateway) -> None:
        self._job, self._session, self._model = job, session, model
        self._asked = asked(job, "research")
        self._talk: list[ChatMessage] = []
        self._stretch = f"s{job.step.index}_{job.step.attempt}_"

    async def run(self) -> ResearchAnswer:
        """Takes turns until the model answers or the budget is spent."""
        budget = self._session.budget
        started = time.monotonic()
        for turn in range(1, budget.iterations + 1):
            self._job.check_pause()
            spent = tokens_spent(self._talk) > budget.tokens or time.monotonic() - started > LONGEST_S
            last = spent or turn == budget.iterations
            found = await self._turn(last=last)
            if found is not None:
                return found
            if last:
                break
        raise UnusableAnswer(Cause.RESEARCH_WITHOUT_ANSWER)

    async def _turn(self, *, last: bool) -> ResearchAnswer | None:
        """One turn of the model and its calls. None until it answers."""
        self._job.told(say(LocalizedText.THINKING, self._job.request.text))
        specs = [ANSWER_SPEC] if last else [*self._session.registry.specs(), ANSWER_SPEC]
        messages = [*self._asked, *self._talk, *([CLOSE] if last else [])]
        turn = await self._model.tools(self._job.request.run_id, CALL_TYPE, messages, specs, required=True)
        reminded = bool(self._talk) and self._talk[-1] is REMIND
        self._talk = with_turn(self._talk, turn.text, turn.calls, self._stretch)
        if turn.calls:
            return await self._run_calls(last=last)
        with suppress(AnswerFormatError):
            return _answered(parse_object(turn.text, ANSWER_FORM))  # the answer's arguments without the call
        if turn.text.strip() and (reminded or last):
            return ResearchAnswer(turn.text)  # A model that never calls a tool: its text is the answer, without citations.
        self._talk = [*self._talk, REMIND]
        return None

    async def _run_calls(self, *, last: bool) -> ResearchAnswer | None:
        """Runs the turn's calls one after another, up to an answer."""
        while (call := next_call(self._talk)) is not None:
            if call.name == ANSWER:
                problem = "; ".join(schema_errors(ANSWER_FORM, call.arguments, "arguments"))
                if not problem:
                    return _answered(call.arguments)
                result: Any = {"error": f"These arguments do not fit {ANSWER}: {problem}"}
            else:
                result = TOO_LATE if last else await self._session.carry(call, self._talk)
            self._talk = with_result(self._talk, call, result)
        return None


def _answered(given: Mapping[str, Any]) -> ResearchAnswer:
    """The answer in arguments that fit `ANSWER_FORM`."""
    return ResearchAnswer(given["text"], tuple(MessageId(one) for one in given["mails"]), tuple(given.get("pages", ())))


def _result(job: StepJob, session: ResearchSession, found: ResearchAnswer) -> StepResult:
    """The step result. Cites only messages that this step or an earlier one read, and pages that this step read."""
    known = {*session.mails, *(one.id for one in mails_read(job.results.values(), job.deps))}
    cited = [one for one in dict.fromkeys(found.mails) if one in known][:MOST_CITED]
    text = checked(found.text, job, session.texts)
    pages = [session.pages[one] for one in dict.fromkeys(found.pages) if one in session.pages][:MOST_CITED]
    return _kept(text, (*mail_sources(cited, job), *pages), session)


def _kept(text: str, sources: Sequence[Source], session: ResearchSession) -> StepResult:
    data = {
        "answer": text,
        "mails": [one.message_id for one in sources if one.message_id],
        READ: list(session.mails),
        BEYOND: session.beyond,
        "tool_used": bool(session.texts),
    }
    return StepResult(completion_contract(Capability.RESEARCH, data), text, tuple(sources))


async def _searched(job: StepJob, session: ResearchSession, why: LocalizedText = LocalizedText.ONLY_SEARCHED) -> StepResult:
    """Lists the matching messages, and says why there is no more.

    Raises `NotAllowed` when the search fails or there is nothing to search for.
    """
    asked_for, like = search_words(job.step.instruction), job.request.text
    received = asks_received(like)
    most = MOST_HITS if received else MOST_FOUND
    call = ToolCall(f"s{job.step.index}_{job.step.attempt}_c1_1", SEARCH.name, {"query": asked_for, "limit": most})
    result = as_json(await session.carry(call))
    if "error" in result:
        raise NotAllowed(str(result["error"]))
    mails = await asyncio.to_thread(_received, list(session.mails), job) if received else list(session.mails)
    sources = (await asyncio.to_thread(_fitting, mails, asked_for, job))[:MOST_FOUND]
    lines = await asyncio.to_thread(_lines, sources, job)
    shown = (
        "\n".join([say(LocalizedText.RECEIVED if received else LocalizedText.FITTING, like, asked_for), *lines])
        if lines
        else say(LocalizedText.NOTHING_FITS, like, asked_for)
    )
    notes = [say(LocalizedText.NOT_DONE, like)] if asks_for_more(like) else []
    return _kept("\n\n".join([shown, *notes, say(why, like)]), sources, session)


def _received(mails: Sequence[MessageId], job: StepJob) -> list[MessageId]:
    """Those of the messages that others sent in the period that the request names, newest first."""
    own, zone = own_addresses(job.account), job.deps.time_zone
    first = since_day(job.request.text, job.deps.clock().astimezone(zone).date())
    known = [job.deps.corpus.message(one) for one in mails]
    came = [one for one in known if one.sender.email.lower() not in own]
    kept = [one for one in came if first is None or one.date.astimezone(zone).date() >= first]
    return [one.id for one in sorted(kept, key=lambda one: one.date, reverse=True)]


def _fitting(mails: Sequence[MessageId], asked_for: str, job: StepJob) -> tuple[Source, ...]:
    """The messages that contain a searched word or are similar enough.

    A search by meaning always finds something, so the others are dropped.
    """
    (wanted,) = job.deps.embedder.embed([asked_for])
    kept = []
    for source in mail_sources(mails, job):
        message = job.deps.corpus.message(source.message_id)
        text = mail_text(message.subject, newest_part(message.body_text))
        if says_any(asked_for, f"{message.sender.name} {message.sender.email} {text}"):
            kept.append(source)
            continue
        (vector,) = job.deps.embedder.embed([text])
        if near_enough(sum(one * other for one, other in zip(wanted, vector, strict=True)), text):
            kept.append(source)
    return tuple(kept)


def _lines(sources: Sequence[Source], job: StepJob) -> list[str]:
    """One line per message: date, sender, subject."""
    mails = [job.deps.corpus.message(one.message_id) for one in sources]
    zone = job.deps.time_zone
    return [f"- {one.date.astimezone(zone):%Y-%m-%d} {one.sender.name or one.sender.email}: {one.subject}" for one in mails]
