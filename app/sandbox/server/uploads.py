"""Google's three ways to upload a mail: simple, multipart and resumable."""

import json
import re
from dataclasses import dataclass, replace

from app.sandbox.call import ApiReply, ApiRequest, json_reply
from app.sandbox.gmail.headers import header_fields, split_head
from app.sandbox.gmail.mailbox import MailboxStore
from app.sandbox.gmail.mime import decode_base64
from app.sandbox.google_api.errors import ApiError, invalid_argument, not_found
from app.sandbox.google_api.json_values import JsonObject

RANGE = re.compile(r"bytes (?:(\d+)-(\d+)|\*)/(\d+|\*)")


@dataclass(frozen=True, slots=True)
class Upload:
    """A finished upload: JSON body and mail."""

    body: JsonObject
    media: bytes | None


@dataclass(slots=True)
class UploadSession:
    """A resumable upload in progress."""

    call: ApiRequest
    media: bytearray


class Uploads:
    """Resumable uploads by id."""

    def __init__(self, mailbox: MailboxStore) -> None:
        self._mailbox = mailbox
        self._sessions: dict[str, UploadSession] = {}

    def begin(self, call: ApiRequest, base_url: str) -> ApiReply:
        """Starts a resumable upload. The answer's Location is the address for the bytes."""
        upload_id = self._mailbox.random_token("upload", 32)
        self._sessions[upload_id] = UploadSession(call, bytearray())
        query = f"uploadType=resumable&upload_id={upload_id}"
        return ApiReply(200, b"", {"location": f"{base_url}{call.path}?{query}", "x-guploader-uploadid": upload_id})

    def session(self, call: ApiRequest) -> UploadSession | None:
        """The upload that a request continues; None if it starts one. Raises `ApiError` 404."""
        given = call.query.get("upload_id")
        if not given:
            return None
        session = self._sessions.get(given[-1])
        if session is None:
            raise not_found()
        return session

    def receive(self, session: UploadSession, call: ApiRequest) -> ApiReply | None:
        """Takes a chunk. Returns None after the last one. Raises `ApiError` 400."""
        found = RANGE.fullmatch(call.headers.get("content-range", f"bytes 0-{len(call.body) - 1}/{len(call.body)}"))
        if found is None:
            raise invalid_argument("Invalid Content-Range")
        begin, _, total = found.groups()
        if begin is not None:
            if int(begin) > len(session.media):
                raise invalid_argument("Content-Range leaves a hole")
            session.media[int(begin) :] = call.body
        if total != "*" and len(session.media) >= int(total):
            self._sessions = {key: other for key, other in self._sessions.items() if other is not session}
            return None
        reached = {"range": f"bytes=0-{len(session.media) - 1}"} if session.media else {}
        return ApiReply(308, b"", reached)


def finished(session: UploadSession) -> ApiRequest:
    """The API request of a complete resumable upload."""
    return replace(session.call, query={name: v for name, v in session.call.query.items() if name != "uploadType"})


def upload_type(call: ApiRequest) -> str:
    """Returns `media`, `multipart` or `resumable`. Raises `ApiError` 400."""
    kind = (call.query.get("uploadType") or ["media"])[-1]
    if kind not in {"media", "multipart", "resumable"}:
        raise invalid_argument(f"Invalid uploadType: {kind}")
    return kind


def read_upload(call: ApiRequest) -> Upload:
    """Reads a simple or multipart upload. Raises `ApiError` 400."""
    if upload_type(call) == "media":
        return Upload({}, call.body or None)
    content_type = call.headers.get("content-type", "")
    found = re.search(r'boundary="?([^";]+)"?', content_type)
    if found is None:
        raise invalid_argument("Missing multipart boundary")
    mark = b"--" + found.group(1).encode()
    pieces = [_part(piece) for piece in call.body.split(mark)[1:] if not piece.startswith(b"--")]
    if len(pieces) != 2:
        raise invalid_argument("A multipart upload has two parts: JSON and the mail")
    return Upload(read_json(pieces[0][1]), _decoded(*pieces[1]))


def read_json(data: bytes) -> JsonObject:
    """Parses a JSON object; empty data gives an empty one. Raises `ApiError` 400."""
    if not data.strip():
        return {}
    try:
        body = json.loads(data)
    except ValueError as error:
        raise ApiError(400, "Invalid JSON payload received. Parse error.", "parseError") from error
    if not isinstance(body, dict):
        raise ApiError(400, "Invalid JSON payload received. Root element must be a message.", "parseError")
    return body


def too_large() -> ApiReply:
    """413 for a mail above the method's limit."""
    return json_reply(ApiError(413, "Request Entity Too Large", "uploadTooLarge").body(), 413)


def _part(piece: bytes) -> tuple[bytes, bytes]:
    piece = piece.removeprefix(b"\r\n").removeprefix(b"\n")
    head, body_at = split_head(piece)
    body = piece[body_at:]
    return head, body[:-2] if body.endswith(b"\r\n") else body.removesuffix(b"\n")


def _decoded(head: bytes, body: bytes) -> bytes:
    headers = {name.lower(): value.lower() for name, value in header_fields(head)}
    if headers.get("content-transfer-encoding") == "base64":
        return decode_base64(body)
    return body
