"""Messages as Gmail's JSON. Payloads are computed on demand and cached, encoded, up to a size limit."""

import json
from collections import OrderedDict
from collections.abc import Collection
from typing import cast

from app.sandbox.gmail.mailbox import MailboxStore, StoredMessage
from app.sandbox.gmail.mime import SourcePart, attachment_names, parse_mail, plain_text, snippet_of, walk
from app.sandbox.google_api.errors import invalid_argument
from app.sandbox.google_api.json_values import JsonObject, encode, from_base64url, to_base64url

CACHE_BYTES = 96_000_000
INLINE_TEXT_BYTES = 512 * 1024
ATTACHMENT_PREFIX = "ANGjdJ"


class EncodedCache:
    """LRU cache of encoded JSON."""

    def __init__(self, most_bytes: int = CACHE_BYTES) -> None:
        self._most_bytes = most_bytes
        self._held_bytes = 0
        self._entries: OrderedDict[tuple[str, str], bytes] = OrderedDict()

    def get(self, key: tuple[str, str]) -> bytes | None:
        found = self._entries.get(key)
        if found is not None:
            self._entries.move_to_end(key)
        return found

    def put(self, key: tuple[str, str], data: bytes) -> None:
        self._entries[key] = data
        self._held_bytes += len(data)
        while self._held_bytes > self._most_bytes and self._entries:
            self._held_bytes -= len(self._entries.popitem(last=False)[1])


class Content:
    def __init__(self, mailbox: MailboxStore) -> None:
        self._mailbox = mailbox
        self._cache = EncodedCache()
        self._words = EncodedCache(CACHE_BYTES // 4)

    def message(self, row: StoredMessage, format_: str = "full", names: Collection[str] = ()) -> bytes:
        """The encoded message: current labels and history id, the rest from the cache."""
        raw_size = str(row.place.size).encode()
        head = encode({"id": row.id, "threadId": row.thread_id, "labelIds": sorted(row.labels)})[:-1]
        tail = b',"sizeEstimate":%s,"historyId":"%d","internalDate":"%d"}' % (raw_size, row.history_id, row.internal_ms)
        if format_ == "raw":
            raw = to_base64url(self._mailbox.raw(row)).encode("ascii")
            return b"".join((head, b",", self._fixed(row, "minimal", ()), b',"raw":"', raw, b'"', tail))
        return b"".join((head, b",", self._fixed(row, format_, names), tail))

    def snippet(self, row: StoredMessage) -> str:
        """The start of the text, HTML-escaped."""
        fixed = cast("JsonObject", json.loads(b"{" + self._fixed(row, "minimal", ()) + b"}"))
        return str(fixed["snippet"])

    def words(self, row: StoredMessage) -> str:
        """The readable text, for searching."""
        found = self._words.get((row.id, "text"))
        if found is None:
            found = plain_text(self._tree(row)).encode("utf-8", "replace")
            self._words.put((row.id, "text"), found)
        return found.decode("utf-8")

    def file_names(self, row: StoredMessage) -> list[str]:
        if not row.may_have_files:
            return []
        found = self._words.get((row.id, "files"))
        if found is None:
            found = encode(attachment_names(self._tree(row)))
            self._words.put((row.id, "files"), found)
        return [str(name) for name in json.loads(found)]

    def attachment(self, row: StoredMessage, token: str) -> JsonObject:
        """The bytes of one attachment. Raises `ApiError` 400 for an unknown token."""
        decoded = from_base64url(token.removeprefix(ATTACHMENT_PREFIX)) if token.startswith(ATTACHMENT_PREFIX) else None
        part_id = (decoded or b"").decode("utf-8", "replace").partition("|")[2]
        for part in walk(self._tree(row)):
            if decoded is not None and decoded == _token_text(row, part_id) and part.part_id == part_id:
                data = part.data()
                return {"size": len(data), "data": to_base64url(data)}
        raise invalid_argument("Invalid attachment token")

    def _fixed(self, row: StoredMessage, format_: str, names: Collection[str]) -> bytes:
        wanted = sorted({name.lower() for name in names})
        key = (row.id, format_ if not wanted else f"{format_}:{','.join(wanted)}")
        found = self._cache.get(key)
        if found is None:
            root = self._tree(row)
            fixed: JsonObject = {"snippet": snippet_of(root)}
            if format_ == "full":
                fixed["payload"] = _payload(row, root)
            elif format_ == "metadata":
                fixed["payload"] = {"mimeType": root.mime_type, "headers": _headers(root, wanted)}
            found = encode(fixed)[1:-1]
            self._cache.put(key, found)
        return found

    def _tree(self, row: StoredMessage) -> SourcePart:
        return parse_mail(self._mailbox.raw(row))


def _payload(row: StoredMessage, part: SourcePart) -> JsonObject:
    shape: JsonObject = {
        "partId": part.part_id,
        "mimeType": part.mime_type,
        "filename": part.filename,
        "headers": _headers(part, ()),
        "body": _body(row, part),
    }
    if part.parts:
        shape["parts"] = [_payload(row, child) for child in part.parts]
    return shape


def _body(row: StoredMessage, part: SourcePart) -> JsonObject:
    if part.parts and part.mime_type.startswith("multipart/"):
        return {"size": 0}
    data = part.data()
    readable = part.is_text or part.mime_type.startswith("multipart/")
    if readable and len(data) <= INLINE_TEXT_BYTES:
        text = part.text().encode("utf-8", "replace")
        return {"size": len(text), "data": to_base64url(text)} if text else {"size": 0}
    token = ATTACHMENT_PREFIX + to_base64url(_token_text(row, part.part_id)).rstrip("=")
    return {"attachmentId": token, "size": len(data)}


def _token_text(row: StoredMessage, part_id: str) -> bytes:
    return f"{row.id}/{row.thread_id}|{part_id}".encode()


def _headers(part: SourcePart, wanted: Collection[str]) -> list[JsonObject]:
    return [{"name": name, "value": value} for name, value in part.headers if not wanted or name.lower() in wanted]
