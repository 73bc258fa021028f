"""Reads the text of documents: plain text in several forms, PDF and Word.

Files come from the owner or were made here. They are read with limits all the same: a small file can unpack to a huge one.
"""

import io
import zipfile
from collections.abc import Iterator

from app.domain.error_texts import Cause
from app.domain.errors import NotAllowed
from app.domain.mail.files import ArtifactHandle
from app.domain.ports.services import Artifacts

TEXT_ENDINGS = (".txt", ".md", ".csv", ".json", ".html")
READABLE = (*TEXT_ENDINGS, ".pdf", ".docx")
MOST_CHARACTERS = 400_000
MOST_PAGES = 300
MOST_UNPACKED = 60_000_000
"""Bytes of a Word document's parts."""


def text_of(artifacts: Artifacts, document: str) -> tuple[ArtifactHandle, str]:
    """The text of a document by its handle. Raises `NotFound`, and `NotAllowed` where it cannot be read."""
    handle, content = artifacts.read(document)
    return handle, text_in(handle.name, content)


def text_in(name: str, content: bytes) -> str:
    """The text of a file, at most `MOST_CHARACTERS`. Raises `NotAllowed`."""
    ending = name[name.rfind(".") :].lower() if "." in name else ""
    if ending in TEXT_ENDINGS:
        return content.decode("utf-8-sig", "replace")[:MOST_CHARACTERS]
    reader = {".pdf": _pdf_parts, ".docx": _word_parts}.get(ending)
    if reader is None:
        raise NotAllowed(Cause.DOCUMENT_KIND_UNREAD, name)
    try:
        return _joined(reader(content))
    except NotAllowed:
        raise
    except Exception as error:  # the readers raise errors of many kinds for damaged files
        raise NotAllowed(Cause.DOCUMENT_DAMAGED, name) from error


def _joined(parts: Iterator[str]) -> str:
    kept: list[str] = []
    left = MOST_CHARACTERS
    for part in parts:
        kept.append(part[:left])
        left -= len(part) + 1
        if left <= 0:
            break
    return "\n".join(kept).strip()


def _pdf_parts(content: bytes) -> Iterator[str]:
    """The text of each page."""
    from pypdf import PdfReader

    reader = PdfReader(io.BytesIO(content))
    for page in reader.pages[:MOST_PAGES]:
        yield page.extract_text()


def _word_parts(content: bytes) -> Iterator[str]:
    """Each paragraph, and each row of a table with its cells between tabs."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        if sum(one.file_size for one in archive.infolist()) > MOST_UNPACKED:
            raise NotAllowed("The Word document unpacks to more than can be read.")
    from docx import Document
    from docx.text.paragraph import Paragraph

    for one in Document(io.BytesIO(content)).iter_inner_content():
        if isinstance(one, Paragraph):
            yield one.text
        else:
            yield from ("\t".join(cell.text for cell in row.cells) for row in one.rows)
