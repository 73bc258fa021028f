"""The Researcher agent: a bounded loop of tool calls that ends with an answer citing the messages it read.

The model reads what strangers wrote, so its tools can only read, and code checks what it cites. Tools and policy are shared with
the other agents. Without a model the agent only searches.
"""

import asyncio
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any

from app.agent.agents.assistant.ask_model import asked
from app.agent.agents.assistant.search import MOST_FOUND, asks_for_more, asks_received, says_any, search_words, since_day
from app.agent.agents.assistant.state import (
    BEYOND,
    READ,
    LocalizedText,
    StepJob,
    check_pause,
    checked,
    mail_sources,
    mails_read,
    say,
    texts_read,
)
from app.agent.agents.builtin_tools.services import (
    CONTACT,
    FETCH,
    MAIL_SEARCH,
    MOST_HITS,
    READ_DOCUMENT,
    THREAD,
    WEB_SEARCH,
    Case,
    calendar_reading,
    document_tools,
    mail_tools,
    web_tools,
)
from app.agent.llm.answers import AnswerFormatError, parse_object
from app.agent.llm.prompts import MAIL_READERS
from app.agent.llm.schemas import schema_errors
from app.agent.llm.turns import ChatMessage, ModelGateway, ToolCall, UnusableAnswer
from app.agent.retrieval import mail_text, near_enough
from app.agent.runtime.conversation import next_call, tokens_spent, turns, with_result, with_turn
from app.agent.tools.registry import Registry, a_text, an_object
from app.agent.tools.tool_calls import CallContext, NeedsApproval, ReadTexts, as_json
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
    """The conversation of one step, its tools, and what was read with them.

    `mails` are the ids of the messages read, in order, `pages` the web pages by address. `texts` is everything tools returned.
    `beyond` is set once something private was read that is in no message.
    """

    def __init__(self, job: StepJob) -> None:
        """Reads the store: call it in a thread. Raises `NotAllowed` without a toolbox."""
        deps, request, box = job.deps, job.request, job.deps.toolbox
        if box is None:
            raise NotAllowed("The agents have no tools here.")
        within = request.scope.conversation
        thread = deps.corpus.message(within).thread_id if within else ThreadId(0)
        case = Case(deps=deps, toolbox=box, run_id=request.run_id, account=job.account, scope=request.scope, conversation=thread)
        documents = document_tools(case) if request.documents else ()
        tools = (*mail_tools(case), *calendar_reading(case), *web_tools(case), *documents)
        self.registry = Registry(one for one in tools if one.definition.effect in LOOKING)
        files = frozenset(one.id for one in request.documents)
        scope = CallScope(request=request.text, own=own_addresses(job.account), hosts=box.hosts, artifacts=files.__contains__)
        names, note = self.registry.names, box.book.note
        self._ctx = CallContext(request.run_id, names, deps.clock, scope, budget=box.budget, audit=note, paused=box.paused)
        before = job.results.values()
        self._ctx.observe(ReadTexts(None, (*texts_read(before, deps), *(ReadText(one.answer) for one in before))))
        self.mails: dict[MessageId, None] = {}
        self.pages: dict[str, Source] = {}
        self.texts: list[str] = []
        self.beyond = False
        self._job = job
        self._talk: list[ChatMessage] = []

    async def carry(self, call: ToolCall) -> Json:
        """Runs a call and returns the result or the error for the model."""
        self._ctx.spent = BudgetSpent(turns(self._talk), tokens_spent(self._talk))
        if call.name in TELLING:
            words, argument = TELLING[call.name]
            self._job.told(say(words, self._job.request.text, str(call.arguments.get(argument, ""))[:LONGEST_TOLD]))
        outcome = await self.registry.execute(call, self._ctx)
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
            for one in value.get("results", [value]):
                text = str(one.get("text") or one.get("snippet") or "")[:EXCERPT]
                title = f"{one.get('title') or one['url']} ({one['url']})"  # with the address, so that it is cited like a message
                self.pages[one["url"]] = Source(SourceKind.PAGE, title, text)
        return value

    async def answer(self, model: ModelGateway) -> "ResearchAnswer":
        """Takes turns until the model answers. Raises `UnusableAnswer` when the budget is spent without an answer."""
        given, budget, started = asked(self._job, "research"), self._ctx.budget, time.monotonic()
        for turn in range(1, budget.iterations + 1):
            check_pause(self._job.deps)
            spent = tokens_spent(self._talk) > budget.tokens or time.monotonic() - started > LONGEST_S
            last = spent or turn == budget.iterations
            found = await self._turn(model, given, last=last)
            if found is not None:
                return found
            if last:
                break
        raise UnusableAnswer(Cause.RESEARCH_WITHOUT_ANSWER)

    async def _turn(self, model: ModelGateway, given: Sequence[ChatMessage], *, last: bool) -> "ResearchAnswer | None":
        """One turn of the model and its calls, one after another. None until it answers."""
        job = self._job
        job.told(say(LocalizedText.THINKING, job.request.text))
        specs = [ANSWER_SPEC] if last else [*self.registry.specs(), ANSWER_SPEC]
        messages = [*given, *self._talk, *([CLOSE] if last else [])]
        turn = await model.tools(job.request.run_id, CALL_TYPE, messages, specs, required=True)
        reminded = bool(self._talk) and self._talk[-1] is REMIND
        self._talk = with_turn(self._talk, turn.text, turn.calls, f"s{job.step.index}_{job.step.attempt}_")
        while (call := next_call(self._talk)) is not None:
            result: Any = TOO_LATE
            if call.name == ANSWER:
                problem = "; ".join(schema_errors(ANSWER_FORM, call.arguments, "arguments"))
                if not problem:
                    return _answered(call.arguments)
                result = {"error": f"These arguments do not fit {ANSWER}: {problem}"}
            elif not last:
                result = await self.carry(call)
            self._talk = with_result(self._talk, call, result)
        if turn.calls:
            return None
        with suppress(AnswerFormatError):
            return _answered(parse_object(turn.text, ANSWER_FORM))  # the answer's arguments without the call
        if turn.text.strip() and (reminded or last):
            return ResearchAnswer(turn.text)  # A model that never calls a tool: its text is the answer, without citations.
        self._talk = [*self._talk, REMIND]
        return None


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
    session = await asyncio.to_thread(ResearchSession, job)
    if job.deps.gateway is None:
        return await _searched(job, session)
    try:
        found = await session.answer(job.deps.gateway)
    except UnusableAnswer as error:
        if len(job.request.steps) > 1:
            raise
        try:
            return await _searched(job, await asyncio.to_thread(ResearchSession, job), LocalizedText.MODEL_SILENT)
        except NotAllowed:
            raise error from None
    return await asyncio.to_thread(_result, job, session, found)


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
    call = ToolCall(f"s{job.step.index}_{job.step.attempt}_c1_1", MAIL_SEARCH.name, {"query": asked_for, "limit": most})
    result = as_json(await session.carry(call))
    if "error" in result:
        raise NotAllowed(str(result["error"]))
    found = await asyncio.to_thread(_fitting, list(session.mails), asked_for, received, job)
    lines = list(found.values())
    shown = (
        "\n".join([say(LocalizedText.RECEIVED if received else LocalizedText.FITTING, like, asked_for), *lines])
        if lines
        else say(LocalizedText.NOTHING_FITS, like, asked_for)
    )
    notes = [say(LocalizedText.NOT_DONE, like)] if asks_for_more(like) else []
    return _kept("\n\n".join([shown, *notes, say(why, like)]), tuple(found), session)


def _fitting(ids: Sequence[MessageId], asked_for: str, received: bool, job: StepJob) -> dict[Source, str]:
    """A line for each message that contains a searched word or is similar enough: a search by meaning always finds something.

    `received`: only those that others sent in the period that the request names, newest first.
    """
    zone = job.deps.time_zone
    if received:
        own = own_addresses(job.account)
        first = since_day(job.request.text, job.deps.clock().astimezone(zone).date())
        came = [one for one in map(job.deps.corpus.message, ids) if one.sender.email.lower() not in own]
        came = [one for one in came if first is None or one.date.astimezone(zone).date() >= first]
        ids = [one.id for one in sorted(came, key=lambda one: one.date, reverse=True)]
    (wanted,) = job.deps.embedder.embed([asked_for])
    kept: dict[Source, str] = {}
    for source in mail_sources(ids, job):
        message = job.deps.corpus.message(source.message_id)
        text = mail_text(message.subject, newest_part(message.body_text))
        fits = says_any(asked_for, f"{message.sender.name} {message.sender.email} {text}")
        if not fits:
            (vector,) = job.deps.embedder.embed([text])
            fits = near_enough(sum(one * other for one, other in zip(wanted, vector, strict=True)), text)
        if fits:
            who = message.sender.name or message.sender.email
            kept[source] = f"- {message.date.astimezone(zone):%Y-%m-%d} {who}: {message.subject}"
    return dict(islice(kept.items(), MOST_FOUND))
