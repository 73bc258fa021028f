"""Builds the model requests of the assistant's agents, and the DirectAnswer agent: one model call, no tools.

The request and the instruction are the owner's. Results of earlier steps repeat what strangers wrote, so they are fenced.
"""

import asyncio
import csv
import io
import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from app.agent.agents.assistant.state import LocalizedText, StepJob, checked, earlier, mails_read, remark, say, whole_text
from app.agent.drafting.document_file import pdf_file, word_file
from app.agent.llm.prompts import chat, fence
from app.agent.llm.turns import ChatMessage, ModelGateway
from app.agent.runtime.dependencies import owner_prompt
from app.domain.agents.requests import Capability, StepResult, completion_contract
from app.domain.error_texts import Cause
from app.domain.errors import NotAllowed
from app.domain.mail.files import ArtifactHandle
from app.store.requests.artifacts import ArtifactFolder

LONGEST_RESULT = 8000
"""Characters of an earlier step's answer."""
LONGEST_FILE = 20_000
"""Characters of a file that the owner gave."""


def asked(job: StepJob, prompt: str) -> list[ChatMessage]:
    """The first messages of a conversation. `prompt` names a file in `resources/prompts`."""
    given: list[str] = []
    for before in earlier(job.request, job.desk):
        given.append(f"An earlier request of the owner:\n{before.text}")
        if answers := "\n\n".join(step.answer for step in before.steps if step.answer):
            given.append(fence(answers[-LONGEST_RESULT:], "answer to the earlier request"))
    given.append(f"The owner's request:\n{job.request.text}")
    if limit := job.request.scope.words:
        given.append(f"The owner limits the mail that is read: {limit}. The tools keep to it.")
    for one in job.request.files:
        text = job.texts[one.id].text if one.id in job.texts else ""
        cut = f" (the first {LONGEST_FILE} of {len(text)} characters)" if len(text) > LONGEST_FILE else ""
        if one.id in job.texts and job.texts[one.id].cut:
            cut += " (damaged or too long to read: only its beginning)"
        words = f"Document {one.name}, handle {one.id}{cut}\n{text[:LONGEST_FILE] or job.unread.get(one.id, '')}"
        given.append(fence(words, "file of the owner"))
    for index, result in sorted(job.results.items()):
        names = "".join(f"\nDocument {made.name}, handle {made.id}" for made in result.documents)
        if words := f"{result.answer[:LONGEST_RESULT]}{names}".strip():
            given.append(fence(words, f"result of step {index + 1}, {job.request.steps[index].capability}"))
    system = owner_prompt(job.deps, job.account, prompt, background=job.deps.background)
    return chat(system, *given, f"Your step:\n{job.step.instruction}")


def model_of(job: StepJob) -> ModelGateway:
    """The model. Raises `NotAllowed` when none is configured."""
    if job.deps.gateway is None:
        raise NotAllowed(Cause.STEP_NEEDS_MODEL)
    return job.deps.gateway


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


OUTSIDE = re.compile(r"[^\w.()\-]+", re.UNICODE)
LONGEST = 50
FALLBACK = "document"


def document_name(wanted: str, kind: str, now: datetime) -> str:
    """A safe file name for `wanted` with the time, ending in `.kind`."""
    stem = re.sub(r"\.(?:md|txt|csv|docx?|pdf|markdown|text)$", "", wanted.strip(), flags=re.IGNORECASE)
    plain = OUTSIDE.sub("-", stem).strip("-._ ")
    while plain and not plain[0].isalnum():
        plain = plain[1:]
    return f"{plain[:LONGEST].rstrip('-._ ') or FALLBACK}_{now:%Y%m%d_%H%M%S}.{kind}"


COMPUTED = re.compile(r"\s*[=@]|\s*[+\-](?!\s?[\d.,\s]*\d\s?%?\s*$)")
"""The beginning of a formula. A signed number is none."""


def plain_table(content: str) -> str:
    """The CSV with formulas marked as text. Keeps the delimiter of the first line."""
    lines = content.replace("\r\n", "\n").replace("\r", "\n")
    first = lines.partition("\n")[0]
    between = max(",;\t", key=first.count)
    out = io.StringIO()
    writer = csv.writer(out, delimiter=between, lineterminator="\n")
    rows = csv.reader(io.StringIO(lines, newline=""), delimiter=between)
    writer.writerows([f"'{cell}" if COMPUTED.match(cell) else cell for cell in row] for row in rows)
    return out.getvalue()


DOCUMENT_CALL = "generate"
LONGEST_CONTENT = 60_000
KINDS = ("md", "txt", "csv", "docx", "pdf")
SYNONYMS = {"markdown": "md", "text": "txt", "plain text": "txt", "word": "docx", "table": "csv", "spreadsheet": "csv"}
DOCUMENT_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 1, "maxLength": 200},
        "kind": {"type": "string", "enum": list(KINDS), "synonyms": SYNONYMS},
        "content": {"type": "string", "minLength": 1, "maxLength": LONGEST_CONTENT, "pattern": r"\S"},
    },
    "required": ["name", "kind", "content"],
    "additionalProperties": False,
}


async def create_document(job: StepJob) -> StepResult:
    """Writes the file. Raises `NotAllowed` without a model or an artifact store, `DiskFull`, and the gateway's errors."""
    box = job.deps.toolbox
    if box is None or box.artifacts is None:
        raise NotAllowed("There is no place for documents here.")
    model = model_of(job)
    job.told(say(LocalizedText.WRITING_DOCUMENT, job.request.text))
    made = await model.structured(job.request.run_id, DOCUMENT_CALL, asked(job, "document"), DOCUMENT_SCHEMA)
    content = made["content"].strip() + "\n"
    if made["kind"] == "csv":
        content = plain_table(content)
    sources = tuple(dict.fromkeys(one for result in job.results.values() for one in result.sources))
    titles = list(dict.fromkeys(one.title for one in sources if one.title))
    whole = content
    if titles and made["kind"] != "csv":
        head, listed = say(LocalizedText.SOURCES, job.request.text), "".join(f"- {one}\n" for one in titles)
        whole += f"\n{head}:\n{listed}" if made["kind"] == "txt" else f"\n## {head}\n\n{listed}"
    name = document_name(made["name"], made["kind"], job.deps.clock().astimezone(job.deps.time_zone))
    handle, notes = await asyncio.to_thread(_write, job, box.artifacts, name, made, whole, content)
    wrote = say(LocalizedText.WROTE_DOCUMENT, job.request.text, handle.name)
    data = {"file_path": handle.name, "name": handle.name, "handle": handle.sha256, "size": handle.size, "tool_used": True}
    contract = completion_contract(Capability.CREATE_DOCUMENT, data)
    return StepResult(contract, f"{wrote}\n\n{notes}".strip(), sources, (handle,))


def _write(
    job: StepJob, artifacts: ArtifactFolder, name: str, made: Mapping[str, str], whole: str, content: str
) -> tuple[ArtifactHandle, str]:
    """The file, and a remark on facts without a source. Raises `NotAllowed`."""
    makers = {"docx": word_file, "pdf": pdf_file}
    kind, title = made["kind"], made["name"].strip()
    handle = artifacts.write(name, makers[kind](whole, title) if kind in makers else whole.encode("utf-8", "replace"))
    return handle, remark(content, job, map(whole_text, mails_read(job.results.values(), job.deps)))
