"""The DirectAnswer agent: one call, no tools."""

import asyncio

from app.agent.supervisor.asking import asked, model_of
from app.agent.supervisor.citing import checked
from app.agent.supervisor.reading import mails_read, whole_text
from app.agent.supervisor.state import Job
from app.agent.supervisor.wording import Words, say
from app.domain.assistant import Capability, StepResult, completion_contract

CALL_TYPE = "agent"
SCHEMA = {
    "type": "object",
    "properties": {"text": {"type": "string", "minLength": 1, "maxLength": 12000, "pattern": r"\S"}},
    "required": ["text"],
    "additionalProperties": False,
}


async def answer(job: Job) -> StepResult:
    """The answer. Where earlier steps found something, facts that stand in none of it are named, and their sources are its own.
    Raises `Refused` without a model, and what the gateway raises."""
    model = model_of(job)
    job.told(say(Words.WRITING_ANSWER, job.request.text))
    said = await model.structured(job.request.run_id, CALL_TYPE, asked(job, "answer"), SCHEMA)
    text = str(said["text"]).strip()
    if job.results:
        read = await asyncio.to_thread(mails_read, job.results.values(), job.deps)
        text = checked(text, job, map(whole_text, read))
    sources = tuple(dict.fromkeys(one for result in job.results.values() for one in result.sources))
    return StepResult(completion_contract(Capability.DIRECT_ANSWER, {"answer": text}), text, sources)
