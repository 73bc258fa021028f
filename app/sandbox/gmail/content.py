"""Messages as Gmail's JSON. Payloads are computed on demand; the encoded ones asked for last are kept."""

from collections.abc import Collection
from functools import lru_cache

from app.sandbox.gmail.mailbox import MailboxStore, StoredMessage
from app.sandbox.gmail.mime import SourcePart, attachment_names, parse_mail, plain_text, snippet_of, walk
from app.sandbox.google_api.errors import invalid_argument
from app.sandbox.google_api.json_values import JsonObject, encode, to_base64url

KEPT = 4_000
"""Encoded messages and texts that are kept for each account."""
INLINE_TEXT_BYTES = 512 * 1024
ATTACHMENT_PREFIX = "ANGjdJ"


class Content:
    """The JSON of a mailbox's messages, whose mail never changes under an id."""

    def __init__(self, mailbox: MailboxStore) -> None:
        self._mailbox = mailbox
        self._fixed = lru_cache(KEPT)(self._encoded)
        self.words = lru_cache(KEPT)(self._words)
        """The readable text of a message by its id, for searching."""
        self.file_names = lru_cache(KEPT)(self._file_names)

    def message(self, row: StoredMessage, format_: str = "full", names: Collection[str] = ()) -> bytes:
        """The encoded message: current labels and history id, the rest from the cache."""
        head = encode({"id": row.id, "threadId": row.thread_id, "labelIds": sorted(row.labels)})[:-1]
        tail = b',"sizeEstimate":%d,"historyId":"%d","internalDate":"%d"}' % (row.place.size, row.history_id, row.internal_ms)
        fixed = self._fixed(row.id, format_, tuple(sorted({name.lower() for name in names})))
        if format_ == "raw":
            fixed += b',"raw":"' + to_base64url(self._mailbox.raw(row)).encode("ascii") + b'"'
        return b"".join((head, b",", fixed, tail))

    def attachment(self, row: StoredMessage, token: str) -> JsonObject:
        """The bytes of one attachment. Raises `ApiError` 400 for an unknown token."""
        for part in walk(parse_mail(self._mailbox.raw(row))):
            if token.rstrip("=") == _token(row, part.part_id):
                data = part.data()
                return {"size": len(data), "data": to_base64url(data)}
        raise invalid_argument("Invalid attachment token")

    def _encoded(self, message_id: str, format_: str, wanted: tuple[str, ...]) -> bytes:
        row = self._mailbox.get(message_id)
        root = parse_mail(self._mailbox.raw(row))
        fixed: JsonObject = {"snippet": snippet_of(root)}
        if format_ == "full":
            fixed["payload"] = _payload(row, root)
        elif format_ == "metadata":
            fixed["payload"] = {"mimeType": root.mime_type, "headers": _headers(root, wanted)}
        return encode(fixed)[1:-1]

    def _words(self, message_id: str) -> str:
        return plain_text(parse_mail(self._mailbox.raw(self._mailbox.get(message_id))))

    def _file_names(self, message_id: str) -> list[str]:
        return attachment_names(parse_mail(self._mailbox.raw(self._mailbox.get(message_id))))


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
    multipart = part.mime_type.startswith("multipart/")
    if part.parts and multipart:
        return {"size": 0}
    data = part.data()
    if (part.is_text or multipart) and len(data) <= INLINE_TEXT_BYTES:
        text = part.text().encode("utf-8", "replace")
        return {"size": len(text), "data": to_base64url(text)} if text else {"size": 0}
    return {"attachmentId": _token(row, part.part_id), "size": len(data)}


def _token(row: StoredMessage, part_id: str) -> str:
    """The id of an attachment."""
    return ATTACHMENT_PREFIX + to_base64url(f"{row.id}/{row.thread_id}|{part_id}".encode()).rstrip("=")


def _headers(part: SourcePart, wanted: Collection[str]) -> list[JsonObject]:
    return [{"name": name, "value": value} for name, value in part.headers if not wanted or name.lower() in wanted]
