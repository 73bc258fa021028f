"""Raw mail as a tree of parts. It reads broken mail too and never raises."""

import binascii
import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import unquote_to_bytes

from app.sandbox.gmail.headers import decode_text, header_fields, split_head

PARAMETER = re.compile(r';\s*([^\s=;]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^;]*)')
INVISIBLE = re.compile(r"<!--.*?-->|<(style|script|head|title)\b.*?</\1\s*>", re.IGNORECASE | re.DOTALL)
TAG = re.compile(r"<[^>]*>")
META = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?\s*([A-Za-z0-9._-]{1,40})", re.IGNORECASE)
DEEPEST = 20
SNIPPET_CHARS = 200
SNIPPET_SOURCE_BYTES = 20_000


@dataclass(slots=True)
class SourcePart:
    """A MIME part: decoded headers, content still in its transfer encoding, and children."""

    part_id: str
    headers: list[tuple[str, str]]
    mime_type: str
    parameters: dict[str, str]
    filename: str
    encoding: str
    content: bytes
    parts: list["SourcePart"] = field(default_factory=list)

    @property
    def is_text(self) -> bool:
        """Whether the part is readable text and not an attachment."""
        return self.mime_type.startswith("text/") and not self.filename

    def data(self) -> bytes:
        """The content without transfer encoding."""
        if self.encoding == "base64":
            return decode_base64(self.content)
        if self.encoding == "quoted-printable":
            return binascii.a2b_qp(self.content)
        return self.content

    def text(self) -> str:
        """The content decoded by its charset."""
        data = self.data()
        charset = self.parameters.get("charset", "")
        if not charset and self.mime_type == "text/html" and (named := META.search(data[:2048])):
            charset = named[1].decode("ascii")
        return decode_text(data, charset)


def parse_mail(raw: bytes) -> SourcePart:
    """Parses a mail. The root has the part id ''."""
    return _parse(raw, "", "text/plain", 0)


def walk(part: SourcePart) -> Iterator[SourcePart]:
    """The part and all parts below it, in order."""
    yield part
    for child in part.parts:
        yield from walk(child)


def plain_text(root: SourcePart) -> str:
    """The readable text: plain parts, or else HTML without tags."""
    leaves = [part for part in walk(root) if part.is_text and not part.parts]
    plain = [part.text() for part in leaves if part.mime_type != "text/html"]
    if any(text.strip() for text in plain):
        return "\n".join(plain)
    return "\n".join(strip_html(part.text()) for part in leaves if part.mime_type == "text/html")


def strip_html(text: str) -> str:
    """HTML without tags, styles and scripts, entities decoded."""
    return html.unescape(TAG.sub(" ", INVISIBLE.sub(" ", text)))


def snippet_of(root: SourcePart) -> str:
    """The start of the text, escaped for HTML as Gmail does."""
    for wanted in ("text/plain", "text/html"):
        for part in walk(root):
            if part.mime_type == wanted and part.is_text:
                cut = SourcePart("", [], wanted, part.parameters, "", part.encoding, part.content[:SNIPPET_SOURCE_BYTES])
                text = strip_html(cut.text()) if wanted == "text/html" else cut.text()
                words = " ".join(text.split())
                if words:
                    return html.escape(words[:SNIPPET_CHARS]).replace("&#x27;", "&#39;")
    return ""


def attachment_names(root: SourcePart) -> list[str]:
    return [part.filename for part in walk(root) if part.filename]


def decode_base64(content: bytes) -> bytes:
    """Decodes base64 in mail: ignores line breaks, invalid characters and missing padding."""
    try:
        return binascii.a2b_base64(content)
    except binascii.Error:
        pass
    clean = re.sub(rb"[^A-Za-z0-9+/]", b"", content)
    if len(clean) % 4 == 1:
        clean = clean[:-1]
    return binascii.a2b_base64(clean + b"=" * (-len(clean) % 4))


def _parse(raw: bytes, part_id: str, default_type: str, depth: int) -> SourcePart:
    head, body_at = split_head(raw)
    headers = header_fields(head)
    first: dict[str, str] = {}
    for name, value in headers:
        first.setdefault(name.lower(), value)
    mime_type, parameters = _content_type(first.get("content-type", ""), default_type)
    disposition = _parameters(first.get("content-disposition", ""))
    filename = disposition.get("filename") or parameters.get("name") or ""
    encoding = first.get("content-transfer-encoding", "").strip().lower()
    part = SourcePart(part_id, headers, mime_type, parameters, filename, encoding, raw[body_at:])
    if depth < DEEPEST:
        part.parts = _children(part, depth)
    return part


def _children(part: SourcePart, depth: int) -> list[SourcePart]:
    prefix = f"{part.part_id}." if part.part_id else ""
    if part.mime_type.startswith("multipart/"):
        default = "message/rfc822" if part.mime_type == "multipart/digest" else "text/plain"
        pieces = _pieces(part.content, part.parameters.get("boundary", ""))
        return [_parse(piece, f"{prefix}{index}", default, depth + 1) for index, piece in enumerate(pieces)]
    if part.mime_type == "message/rfc822":
        return [_parse(part.data(), f"{prefix}0", "text/plain", depth + 1)]
    return []


def _pieces(content: bytes, boundary: str) -> list[bytes]:
    if not boundary:
        return []
    mark = re.compile(rb"(?:\A|\r?\n)--" + re.escape(boundary.encode("utf-8", "replace")) + rb"(--)?[ \t]*(?=\r?\n|\Z)")
    pieces: list[bytes] = []
    begin: int | None = None
    for found in mark.finditer(content):
        if begin is not None:
            pieces.append(content[begin : max(begin, found.start())])
        begin = None if found.group(1) else _after_newline(content, found.end())
        if found.group(1):
            break
    if begin is not None and begin < len(content):
        pieces.append(content[begin:])
    return pieces


def _after_newline(content: bytes, at: int) -> int:
    if content[at : at + 2] == b"\r\n":
        return at + 2
    return at + 1 if content[at : at + 1] == b"\n" else at


def _content_type(value: str, default: str) -> tuple[str, dict[str, str]]:
    kind = value.partition(";")[0].strip().lower()
    if not re.fullmatch(r"[^\s/;]+/[^\s/;]+", kind):
        kind = default if not value else "text/plain"
    return kind, _parameters(value)


def _parameters(value: str) -> dict[str, str]:
    plain: dict[str, str] = {}
    pieces: dict[str, list[tuple[int, bool, str]]] = {}
    for name, given in PARAMETER.findall(";" + value.partition(";")[2]) if ";" in value else ():
        text = re.sub(r"\\(.)", r"\1", given[1:-1]) if given.startswith('"') else given.strip()
        base, star, rest = name.lower().partition("*")
        if not star:
            plain.setdefault(base, text)
        else:
            order = rest.rstrip("*")
            pieces.setdefault(base, []).append((int(order) if order.isdecimal() else 0, name.endswith("*"), text))
    for base, found in pieces.items():
        plain[base] = _joined(sorted(found))
    return plain


def _joined(pieces: list[tuple[int, bool, str]]) -> str:
    charset, data = "", b""
    for index, (_, encoded, text) in enumerate(pieces):
        if encoded and index == 0 and text.count("'") >= 2:
            charset, _, text = text.split("'", 2)
        data += unquote_to_bytes(text) if encoded else text.encode("utf-8", "replace")
    return decode_text(data, charset)
