"""The text of a file that came with mail, for search: PDF, office documents, web pages, calendars, attached mail, plain text.

Runs in a process of its own, `replyroom read-file`, because such files may be damaged or made to do harm. The process limits its
memory and its time. It writes text as it finds it, so what was read before an end is kept.
"""

import mimetypes
import re
import sys
import zipfile
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import BinaryIO
from xml.parsers import expat

MOST_CHARACTERS = 300_000
"""Written of one file: some 100 pages."""
MOST_PAGES = 500
MOST_MEMBERS = 300
MOST_BYTES = 60_000_000
"""Unpacked from one file. A document of 100 pages has 2 MB."""
PLAIN_BYTES = 4_000_000
MEMORY_BYTES = 700_000_000
"""Address space of the process; Python and a large PDF need 250 MB."""
SECONDS = 20
READ, LOCKED = 0, 4
"""Exit codes; any other one says that the file is damaged or takes too much."""

_MEMBERS = {
    "docx": r"word/(document|header\d*|footer\d*|footnotes|endnotes|comments)\.xml",
    "xlsx": r"xl/(sharedStrings|worksheets/sheet\d+)\.xml",
    "pptx": r"ppt/(slides/slide|notesSlides/notesSlide)\d+\.xml",
    "odt": r"content\.xml",
}
_SUFFIXES = {
    **dict.fromkeys(("docx", "docm", "dotx"), "docx"),
    **dict.fromkeys(("xlsx", "xlsm"), "xlsx"),
    **dict.fromkeys(("pptx", "pptm", "ppsx"), "pptx"),
    **dict.fromkeys(("odt", "ods", "odp", "ott"), "odt"),
    **dict.fromkeys(("html", "htm", "xhtml"), "html"),
    **dict.fromkeys(("txt", "text", "csv", "tsv", "md", "rst", "log", "json", "xml", "yaml", "yml", "tex"), "text"),
    "pdf": "pdf", "ics": "calendar", "eml": "mail",
}  # fmt: skip
_TYPES = {
    "application/pdf": "pdf",
    "text/html": "html",
    "text/calendar": "calendar",
    "application/ics": "calendar",
    "message/rfc822": "mail",
    "message/global": "mail",
}
_BREAKS = frozenset({"p", "h", "tr", "row", "si", "c", "br", "tab", "cell", "table-cell", "line-break", "s"})
"""Elements that end a word."""
_SILENT = frozenset({"instrText", "delText", "f"})


def kind_of(filename: str, mime_type: str) -> str:
    """How a file is read, by its suffix and then by its type; empty for one that has no text here."""
    suffix = filename.rpartition(".")[2].lower() if "." in filename else ""
    guessed = mimetypes.guess_extension(mime_type) or ""
    known = _SUFFIXES.get(suffix) or _TYPES.get(mime_type) or _SUFFIXES.get(guessed.removeprefix("."))
    return known or ("text" if mime_type.startswith("text/") else "")


def read_file(path: Path, kind: str, out: BinaryIO) -> int:
    """Writes the file's text and returns the exit code. A damaged or hostile file may raise anything.

    Call it in a process that ends afterwards.
    """
    _limit_process()
    left = MOST_CHARACTERS
    try:
        for text in _READERS[kind](path):
            out.write(f"{text[:left]}\n".encode("utf-8", "replace"))
            out.flush()
            left -= len(text)
            if left <= 0:
                break
    except PermissionError:
        return LOCKED
    return READ


def _limit_process() -> None:
    """Limits memory and time and forbids files, where the system can (not on Windows)."""
    if sys.platform != "win32":
        import resource

        for name, most in ((resource.RLIMIT_AS, MEMORY_BYTES), (resource.RLIMIT_CPU, SECONDS), (resource.RLIMIT_FSIZE, 0)):
            resource.setrlimit(name, (most, most))


def _pdf(path: Path) -> Iterator[str]:
    """Page by page. A page that cannot be read is passed over."""
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    damaged = (PyPdfError, ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
    reader = PdfReader(path, strict=False)
    if reader.is_encrypted and not reader.decrypt(""):
        raise PermissionError(path)
    for number in range(min(len(reader.pages), MOST_PAGES)):
        with suppress(*damaged):
            yield reader.pages[number].extract_text()


def _document(kind: str) -> Callable[[Path], Iterator[str]]:
    wanted = re.compile(_MEMBERS[kind])

    def read(path: Path) -> Iterator[str]:
        left = MOST_BYTES
        with zipfile.ZipFile(path) as packed:
            names = [one.filename for one in packed.infolist() if wanted.fullmatch(one.filename)]
            for name in islice(sorted(names, key=lambda one: (len(one), one)), MOST_MEMBERS):
                with packed.open(name) as member:
                    text = XmlText()
                    while left > 0 and not text.full and (piece := member.read(min(left, 1 << 16))):
                        left -= len(piece)
                        text.feed(piece)
                yield text.whole
        if kind != "odt" and not names:
            raise ValueError("No part of this document has text.")

    return read


class XmlText:
    """Collects the characters of an XML document without building a tree. A document type is not accepted."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._count = 0
        self._silent = 0
        self._shared = False
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.buffer_text = True
        self._parser.StartDoctypeDeclHandler = self._doctype
        self._parser.StartElementHandler = self._begin
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters

    @property
    def full(self) -> bool:
        return self._count > MOST_CHARACTERS

    @property
    def whole(self) -> str:
        return re.sub(r"[ \n]*\n[ \n]*", "\n", "".join(self._parts)).strip()

    def feed(self, piece: bytes) -> None:
        """Reads on. Raises `ExpatError` or `ValueError`."""
        self._parser.Parse(piece, False)

    def _doctype(self, *_: object) -> None:
        raise ValueError("A document type may define endless text.")

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        local = name.rpartition(" ")[2]
        if local == "c":
            self._shared = attributes.get("t") == "s"
        self._silent += self._is_silent(local)
        if local in ("br", "tab", "s"):
            self._parts.append(" ")

    def _end(self, name: str) -> None:
        local = name.rpartition(" ")[2]
        self._silent -= self._is_silent(local)
        if local in _BREAKS:
            self._parts.append("\n")

    def _is_silent(self, local: str) -> bool:
        """A formula, deleted text, or the number of a shared text."""
        return local in _SILENT or (local == "v" and self._shared)

    def _characters(self, text: str) -> None:
        if not self._silent:
            self._parts.append(text)
            self._count += len(text)


def _plain(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(PLAIN_BYTES)


def _decoded(path: Path, mime_type: str) -> str:
    """Raises `ValueError` for a file that is no text."""
    from app.mail.mime.text import decode_body

    data = _plain(path)
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    if b"\0" in data:
        raise ValueError("The file is no text.")
    return decode_body(data, mime_type)


def _text(path: Path) -> Iterator[str]:
    yield _decoded(path, "text/plain")


def _html(path: Path) -> Iterator[str]:
    from app.mail.html.bounds import bounded
    from app.mail.html.visible import visible_text

    yield visible_text(bounded(_decoded(path, "text/html")))


def _calendar(path: Path) -> Iterator[str]:
    from app.mail.mime.calendar_parts import calendar_summary

    yield calendar_summary(_decoded(path, "text/calendar"))


def _mail(path: Path) -> Iterator[str]:
    from app.mail.archives.resource import resource_of
    from app.mail.parse import parse_message

    mail = parse_message(resource_of(_plain(path), "attached", "attached", []))
    people = (mail.sender, *mail.to, *mail.cc)
    yield "\n".join((mail.subject, *(f"{one.name} {one.email}".strip() for one in people), mail.body_text))
    yield " ".join(one.filename for one in mail.attachments)


_READERS: dict[str, Callable[[Path], Iterator[str]]] = {
    "pdf": _pdf,
    **{kind: _document(kind) for kind in _MEMBERS},
    "text": _text,
    "html": _html,
    "calendar": _calendar,
    "mail": _mail,
}
