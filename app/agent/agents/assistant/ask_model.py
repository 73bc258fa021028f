"""Builds the model requests of the assistant's agents, and the DirectAnswer agent: one model call, no tools.

The request and the instruction are the owner's. Results of earlier steps repeat what strangers wrote, so they are fenced.
"""

import asyncio
from collections.abc import Iterator

from app.agent.agents.assistant.sources import checked, earlier, mails_read, whole_text
from app.agent.agents.assistant.state import LocalizedText, StepJob, say
from app.agent.llm.prompts import chat, fence
from app.agent.llm.turns import ChatMessage, ModelGateway
from app.agent.runtime.dependencies import owner_prompt
from app.domain.agents.requests import Capability, StepResult, completion_contract
from app.domain.error_texts import Cause
from app.domain.errors import NotAllowed

LONGEST_RESULT = 8000
"""Characters of an earlier step's answer."""
LONGEST_FILE = 20_000
"""Characters of a file that the owner gave."""


def asked(job: StepJob, prompt: str) -> list[ChatMessage]:
    """The first messages of a conversation. `prompt` names a file in `resources/prompts`."""
    system = owner_prompt(job.deps, job.account, prompt, background=job.deps.background)
    limit = job.request.scope.words
    limits = [f"The owner limits the mail that is read: {limit}. The tools keep to it."] if limit else []
    given = [*_conversation(job), f"The owner's request:\n{job.request.text}", *limits, *_files(job), *_earlier(job)]
    return chat(system, *given, f"Your step:\n{job.step.instruction}")


def _conversation(job: StepJob) -> Iterator[str]:
    """The requests that this one follows up on, with their answers."""
    for one in earlier(job.request, job.desk):
        yield f"An earlier request of the owner:\n{one.text}"
        answers = "\n\n".join(step.answer for step in one.steps if step.answer)
        if answers:
            yield fence(answers[-LONGEST_RESULT:], "answer to the earlier request")


def _files(job: StepJob) -> Iterator[str]:
    """The owner's files, each with the beginning of its text where it has one."""
    for one in job.request.files:
        text = job.texts[one.id].text if one.id in job.texts else ""
        cut = f" (the first {LONGEST_FILE} of {len(text)} characters)" if len(text) > LONGEST_FILE else ""
        if one.id in job.texts and job.texts[one.id].cut:
            cut += " (damaged or too long to read: only its beginning)"
        words = f"Document {one.name}, handle {one.id}{cut}\n{text[:LONGEST_FILE] or job.unread.get(one.id, '')}"
        yield fence(words, "file of the owner")


def model_of(job: StepJob) -> ModelGateway:
    """The model. Raises `NotAllowed` when none is configured."""
    if job.deps.gateway is None:
        raise NotAllowed(Cause.STEP_NEEDS_MODEL)
    return job.deps.gateway


def _earlier(job: StepJob) -> list[str]:
    parts: list[str] = []
    for index, result in sorted(job.results.items()):
        names = "".join(f"\nDocument {one.name}, handle {one.id}" for one in result.documents)
        words = f"{result.answer[:LONGEST_RESULT]}{names}".strip()
        if words:
            capability = job.request.steps[index].capability
            parts.append(fence(words, f"result of step {index + 1}, {capability}"))
    return parts


CALL_TYPE = "agent"
SCHEMA = {
    "type": "object",
    "properties": {"text": {"type": "string", "minLength": 1, "maxLength": 12000, "pattern": r"\S"}},
    "required": ["text"],
    "additionalProperties": False,
}


async def answer(job: StepJob) -> StepResult:
    """Answers from general knowledge and earlier results.

    With earlier results, the answer names facts without a source and takes over their sources. Raises `NotAllowed` without a
    model, and the gateway's errors.
    """
    model = model_of(job)
    job.told(say(LocalizedText.WRITING_ANSWER, job.request.text))
    said = await model.structured(job.request.run_id, CALL_TYPE, asked(job, "answer"), SCHEMA)
    text = str(said["text"]).strip()
    if job.results:
        read = await asyncio.to_thread(mails_read, job.results.values(), job.deps)
        text = checked(text, job, map(whole_text, read))
    sources = tuple(dict.fromkeys(one for result in job.results.values() for one in result.sources))
    return StepResult(completion_contract(Capability.DIRECT_ANSWER, {"answer": text, "tool_used": False}), text, sources)
