"""Tools `read_document` and `write_document`: files in the app's own folder, by handle and never by path."""

import asyncio
from collections.abc import Iterable

from app.agent.agents.builtin_tools.case import Case
from app.agent.tools.execution import RegisteredTool
from app.agent.tools.registry import a_text, an_object
from app.domain.agents.tools import Json, ToolDefinition
from app.domain.errors import NotAllowed
from app.domain.policy.policy import Effect
from app.mail.file_process import DocumentReader

TEXT_ENDINGS = (".txt", ".md", ".csv", ".json", ".html")
LONGEST_TEXT = 100_000
LONGEST_READ = 20_000

READ = ToolDefinition(
    "read_document",
    "Read a text, Word or PDF file of the app, by its handle.",
    an_object(("document",), document=a_text("The handle.", 100)),
    Effect.READ,
    attach_args=("document",),
)
WRITE = ToolDefinition(
    "write_document",
    "Write a text file into the app's own folder; its handle comes back.",
    an_object(
        ("name", "content"),
        name=a_text(f"The file's name, ending in one of {', '.join(TEXT_ENDINGS)}.", 80),
        content=a_text("The words.", LONGEST_TEXT),
    ),
    Effect.LOCAL_WRITE,
)


def document_tools(case: Case) -> Iterable[RegisteredTool]:
    """The tools, if there is an artifact store."""
    artifacts, texts = case.toolbox.artifacts, case.toolbox.texts
    if artifacts is None or texts is None:
        return

    async def read_document(document: str) -> Json:
        return await read_text(texts, document)

    async def write_document(name: str, content: str) -> Json:
        if not name.lower().endswith(TEXT_ENDINGS):
            raise NotAllowed(f"A document's name ends in one of {', '.join(TEXT_ENDINGS)}.")
        handle = await asyncio.to_thread(artifacts.write, name, content.encode("utf-8", "replace"))
        return {"document": handle.id, "name": handle.name, "size": handle.size}

    yield RegisteredTool(READ, read_document)
    yield RegisteredTool(WRITE, write_document)


async def read_text(texts: DocumentReader, document: str) -> Json:
    """The beginning of a document's text by its handle, for a model. Raises `NotFound`, `NotAllowed`."""
    found = await texts.read(document)
    cut = found.cut or len(found.text) > LONGEST_READ
    return {"document": found.handle.id, "name": found.handle.name, "text": found.text[:LONGEST_READ], "cut": cut}
