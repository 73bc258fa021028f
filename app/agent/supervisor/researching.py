"""The Researcher: looks things up in a bounded loop of tool calls, and ends with an answer that cites the mails it read.

Its model reads what strangers wrote, so nothing it may call leaves a trace, and whatever it cites is checked by code. Without a
model it searches. Refuses to go on beyond its turns, tokens and time: then it must answer with what it has.
"""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.agent.deps import ChatMessage, Gateway
from app.agent.embedding import mail_text
from app.agent.handlers.case import a_text, an_object
from app.agent.handlers.conversation import next_call, tokens_spent, with_result, with_turn
from app.agent.handlers.mail import SEARCH
from app.agent.nearness import near_enough
from app.agent.schemas import misfits
from app.agent.supervisor.asking import asked
from app.agent.supervisor.bench import Bench, open_bench
from app.agent.supervisor.citing import checked, mail_sources
from app.agent.supervisor.reading import BEYOND, READ, mails_read
from app.agent.supervisor.searching import MOST_FOUND, asks_for_more, says_any, search_words
from app.agent.supervisor.state import Job
from app.agent.supervisor.wording import Words, say
from app.agent.tools.outcomes import as_json
from app.agent.trouble import UnusableAnswer
from app.agent.turns import ToolCall
from app.domain.assistant import Capability, StepResult, completion_contract
from app.domain.draft import Source
from app.domain.errors import Refused
from app.domain.ids import MessageId
from app.domain.quotes import newest_part

CALL_TYPE = "agent"
LONGEST_S = 240.0
"""After so many seconds it must answer."""
MOST_CITED = 30

ANSWER = "answer"
ANSWER_FORM = an_object(
    ("text", "mails"),
    text=a_text("The answer, in plain text.", 12_000, pattern=r"\S"),
    mails={"type": "array", "items": {"type": "integer"}, "description": "The id of each mail that the answer rests on."},
)
ANSWER_SPEC = {
    "type": "function",
    "function": {"name": ANSWER, "description": "Give the answer. This ends your step.", "parameters": ANSWER_FORM},
}
REMIND: ChatMessage = {"role": "user", "content": "Call a tool: one that looks something up, or answer."}
CLOSE: ChatMessage = {"role": "user", "content": "You can look nothing up any more. Call answer with what you have."}
TOO_LATE = {"error": "You can look nothing up any more. Call answer."}


@dataclass(frozen=True, slots=True)
class Found:
    """What the model answered, and the ids that it says it cites."""

    text: str
    mails: tuple[MessageId, ...]


async def research(job: Job) -> StepResult:
    """The answer with its sources. Raises `UnusableAnswer` where there is none in the end, `AgentsPaused`, `Refused`, and what
    the gateway raises."""
    bench = await open_bench(job)
    if job.deps.gateway is None:
        return await _searched(job, bench)
    found = await _Loop(job, bench, job.deps.gateway).run()
    return await asyncio.to_thread(_result, job, bench, found)


class _Loop:
    """One conversation with the model."""

    def __init__(self, job: Job, bench: Bench, model: Gateway) -> None:
        self._job = job
        self._bench = bench
        self._model = model
        self._asked = asked(job, "research")
        self._talk: list[ChatMessage] = []
        self._stretch = f"s{job.step.index}_{job.step.attempt}_"

    async def run(self) -> Found:
        """Turn after turn until it answers."""
        budget = self._bench.budget
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
        raise UnusableAnswer("The model looked things up and gave no answer in the end.", "Try the step again, or ask for less.")

    async def _turn(self, *, last: bool) -> Found | None:
        """One answer of the model with what came of its calls; None while it has not ended."""
        self._job.told(say(Words.THINKING, self._job.request.text))
        specs = [ANSWER_SPEC] if last else [*self._bench.registry.specs(), ANSWER_SPEC]
        messages = [*self._asked, *self._talk, *([CLOSE] if last else [])]
        turn = await self._model.tools(self._job.request.run_id, CALL_TYPE, messages, specs, required=True)
        reminded = bool(self._talk) and self._talk[-1] is REMIND
        self._talk = with_turn(self._talk, turn.text, turn.calls, self._stretch)
        if turn.calls:
            return await self._carried(last=last)
        if turn.text.strip() and (reminded or last):
            return Found(turn.text, ())  # a model that only talks: its words count, and cite nothing
        self._talk = [*self._talk, REMIND]
        return None

    async def _carried(self, *, last: bool) -> Found | None:
        """The turn's calls, one after another, up to an answer."""
        while (call := next_call(self._talk)) is not None:
            if call.name == ANSWER:
                problem = "; ".join(misfits(ANSWER_FORM, call.arguments, "arguments"))
                if not problem:
                    return Found(call.arguments["text"], tuple(MessageId(one) for one in call.arguments["mails"]))
                result: Any = {"error": f"These arguments do not fit {ANSWER}: {problem}"}
            else:
                result = TOO_LATE if last else await self._bench.carry(call, self._talk)
            self._talk = with_result(self._talk, call, result)
        return None


def _result(job: Job, bench: Bench, found: Found) -> StepResult:
    """What is kept of an answer: only mails that this step, or one before it, has read are cited."""
    known = {*bench.mails, *(one.id for one in mails_read(job.results.values(), job.deps))}
    cited = [one for one in dict.fromkeys(found.mails) if one in known][:MOST_CITED]
    text = checked(found.text, job, bench.texts)
    return _kept(text, mail_sources(cited, job), bench)


def _kept(text: str, sources: Sequence[Source], bench: Bench) -> StepResult:
    data = {"answer": text, "mails": [one.message_id for one in sources], READ: list(bench.mails), BEYOND: bench.beyond}
    return StepResult(completion_contract(Capability.RESEARCH, data), text, tuple(sources))


async def _searched(job: Job, bench: Bench) -> StepResult:
    """The mails that fit, listed and cited. Raises `Refused` where the search failed or nothing can be looked for."""
    asked_for, like = search_words(job.step.instruction), job.request.text
    call = ToolCall(f"s{job.step.index}_{job.step.attempt}_c1_1", SEARCH.name, {"query": asked_for, "limit": MOST_FOUND})
    result = as_json(await bench.carry(call))
    if "error" in result:
        raise Refused(str(result["error"]))
    sources = await asyncio.to_thread(_fitting, list(bench.mails), asked_for, job)
    lines = await asyncio.to_thread(_lines, sources, job)
    shown = "\n".join([say(Words.FITTING, like, asked_for), *lines]) if lines else say(Words.NOTHING_FITS, like, asked_for)
    notes = [say(Words.NOT_DONE, like)] if asks_for_more(like) else []
    return _kept("\n\n".join([shown, *notes, say(Words.ONLY_SEARCHED, like)]), sources, bench)


def _fitting(mails: Sequence[MessageId], asked_for: str, job: Job) -> tuple[Source, ...]:
    """Those of the mails that say a word of what was asked for, or are near to it: a search by meaning always finds something."""
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


def _lines(sources: Sequence[Source], job: Job) -> list[str]:
    """One line a mail: when, from whom, about what."""
    mails = [job.deps.corpus.message(one.message_id) for one in sources]
    zone = job.deps.time_zone
    return [f"- {one.date.astimezone(zone):%Y-%m-%d} {one.sender.name or one.sender.email}: {one.subject}" for one in mails]
