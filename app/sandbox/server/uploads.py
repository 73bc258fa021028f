"""Multipart uploads: the JSON of a request with a mail beside it."""

import json
import re
from dataclasses import dataclass

from app.sandbox.call import ApiReply, ApiRequest, json_reply
from app.sandbox.gmail.headers import header_fields, split_head
from app.sandbox.gmail.mime import decode_base64
from app.sandbox.google_api.errors import ApiError, invalid_argument
from app.sandbox.google_api.json_values import JsonObject


@dataclass(frozen=True, slots=True)
class Upload:
    """JSON body and mail."""

    body: JsonObject
    media: bytes | None


def read_upload(call: ApiRequest) -> Upload:
    """Reads a multipart upload. Raises `ApiError` 400."""
    if call.query.get("uploadType") != ["multipart"]:
        raise invalid_argument("Only uploadType=multipart is served")
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
