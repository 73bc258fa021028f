"""The DocumentCreator: one text file of the app's own, from the request and what earlier steps found, named by handle.

Refuses paths: a contract's `file_path` is the file's name, and whoever wants its content asks by handle.
"""

import asyncio
from typing import Any

from app.agent.supervisor.asking import asked, model_of
from app.agent.supervisor.citing import remark
from app.agent.supervisor.naming import document_name
from app.agent.supervisor.reading import mails_read, whole_text
from app.agent.supervisor.state import Job
from app.agent.supervisor.tables import plain_table
from app.agent.supervisor.wording import Words, say
from app.domain.artifacts import Handle
from app.domain.assistant import Capability, StepResult, completion_contract
from app.domain.draft import Source
from app.domain.errors import Refused

CALL_TYPE = "generate"
LONGEST_CONTENT = 60_000
KINDS = ("md", "txt", "csv")
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 1, "maxLength": 200},
        "kind": {"type": "string", "enum": list(KINDS)},
        "content": {"type": "string", "minLength": 1, "maxLength": LONGEST_CONTENT, "pattern": r"\S"},
    },
    "required": ["name", "kind", "content"],
    "additionalProperties": False,
}


async def create_document(job: Job) -> StepResult:
    """The file's contract and handle. Raises `Refused` without a model or a place for files, `DiskFull`, and what the gateway
    raises."""
    box = job.deps.toolbox
    if box is None or box.artifacts is None:
        raise Refused("There is no place for documents here.")
    model = model_of(job)
    job.told(say(Words.WRITING_DOCUMENT, job.request.text))
    made = await model.structured(job.request.run_id, CALL_TYPE, asked(job, "document"), SCHEMA)
    content = made["content"].strip() + "\n"
    if made["kind"] == "csv":
        content = plain_table(content)
    sources = tuple(dict.fromkeys(one for result in job.results.values() for one in result.sources))
    whole = content + _cited(made["kind"], sources, job)
    name = document_name(made["name"], made["kind"])
    handle = await asyncio.to_thread(box.artifacts.write, name, whole.encode("utf-8", "replace"))
    return await asyncio.to_thread(_result, job, handle, content, sources)


def _result(job: Job, handle: Handle, content: str, sources: tuple[Source, ...]) -> StepResult:
    """What is kept of a document: its handle, and which of its facts stand in nothing that was read."""
    read = map(whole_text, mails_read(job.results.values(), job.deps))
    notes = remark(content, job, read)
    wrote = say(Words.WROTE_DOCUMENT, job.request.text, handle.name)
    data = {"file_path": handle.name, "name": handle.name, "handle": handle.sha256, "size": handle.size}
    contract = completion_contract(Capability.CREATE_DOCUMENT, data)
    return StepResult(contract, f"{wrote}\n\n{notes}".strip(), sources, (handle,))


def _cited(kind: str, sources: tuple[Source, ...], job: Job) -> str:
    """The titles of the mails behind a document, at its end; a table has no place for them."""
    titles = list(dict.fromkeys(one.title for one in sources if one.title))
    if kind == "csv" or not titles:
        return ""
    head = say(Words.SOURCES, job.request.text)
    listed = "".join(f"- {one}\n" for one in titles)
    return f"\n## {head}\n\n{listed}" if kind == "md" else f"\n{head}:\n{listed}"
