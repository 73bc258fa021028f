"""The DocumentCreator agent: writes one text, Word or PDF file from the request and the results of earlier steps.

File names hold letters, digits and dashes and the time, never a path. Formulas in CSV cells become text: a stranger's mail may
have put them there, and opening the file in a spreadsheet could leak data.
"""

import asyncio
import csv
import io
import re
from datetime import datetime
from typing import Any

from app.agent.agents.assistant.ask_model import asked, model_of
from app.agent.agents.assistant.sources import mails_read, remark, whole_text
from app.agent.agents.assistant.state import LocalizedText, StepJob, say
from app.agent.drafting.document_file import pdf_file, word_file
from app.domain.agents.requests import Capability, StepResult, completion_contract
from app.domain.drafting.draft import Source
from app.domain.errors import NotAllowed
from app.domain.mail.files import ArtifactHandle

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

AS_TEXT = "'"


def plain_table(content: str) -> str:
    """The CSV with formulas marked as text. Keeps the delimiter of the first line."""
    lines = content.replace("\r\n", "\n").replace("\r", "\n")
    first = lines.partition("\n")[0]
    between = max(",;\t", key=first.count)
    out = io.StringIO()
    writer = csv.writer(out, delimiter=between, lineterminator="\n")
    writer.writerows([_plain(cell) for cell in row] for row in csv.reader(io.StringIO(lines, newline=""), delimiter=between))
    return out.getvalue()


def _plain(cell: str) -> str:
    return AS_TEXT + cell if COMPUTED.match(cell) else cell


CALL_TYPE = "generate"
LONGEST_CONTENT = 60_000
KINDS = ("md", "txt", "csv", "docx", "pdf")
SYNONYMS = {"markdown": "md", "text": "txt", "plain text": "txt", "word": "docx", "table": "csv", "spreadsheet": "csv"}
SCHEMA: dict[str, Any] = {
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
    made = await model.structured(job.request.run_id, CALL_TYPE, asked(job, "document"), SCHEMA)
    content = made["content"].strip() + "\n"
    if made["kind"] == "csv":
        content = plain_table(content)
    sources = tuple(dict.fromkeys(one for result in job.results.values() for one in result.sources))
    whole = content + _cited(made["kind"], sources, job)
    name = document_name(made["name"], made["kind"], job.deps.clock().astimezone(job.deps.time_zone))
    written = await asyncio.to_thread(_written, made["kind"], whole, made["name"].strip())
    handle = await asyncio.to_thread(box.artifacts.write, name, written)
    return await asyncio.to_thread(_result, job, handle, content, sources)


def _written(kind: str, whole: str, title: str) -> bytes:
    """The bytes of the file. Raises `NotAllowed`."""
    if kind == "docx":
        return word_file(whole, title)
    return pdf_file(whole, title) if kind == "pdf" else whole.encode("utf-8", "replace")


def _result(job: StepJob, handle: ArtifactHandle, content: str, sources: tuple[Source, ...]) -> StepResult:
    """The step result, with a remark on facts without a source."""
    read = map(whole_text, mails_read(job.results.values(), job.deps))
    notes = remark(content, job, read)
    wrote = say(LocalizedText.WROTE_DOCUMENT, job.request.text, handle.name)
    data = {"file_path": handle.name, "name": handle.name, "handle": handle.sha256, "size": handle.size, "tool_used": True}
    contract = completion_contract(Capability.CREATE_DOCUMENT, data)
    return StepResult(contract, f"{wrote}\n\n{notes}".strip(), sources, (handle,))


def _cited(kind: str, sources: tuple[Source, ...], job: StepJob) -> str:
    """The list of sources at the end of a document. Empty for CSV."""
    titles = list(dict.fromkeys(one.title for one in sources if one.title))
    if kind == "csv" or not titles:
        return ""
    head = say(LocalizedText.SOURCES, job.request.text)
    listed = "".join(f"- {one}\n" for one in titles)
    return f"\n{head}:\n{listed}" if kind == "txt" else f"\n## {head}\n\n{listed}"
