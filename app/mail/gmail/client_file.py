"""Reads and checks the OAuth client file that a user downloads from Google's console."""

import json
from pathlib import Path
from urllib.parse import urlsplit

from app.domain.error_texts import Cause
from app.domain.errors import BadFile
from app.domain.record import Record

LARGEST_BYTES = 100_000
FIELDS = ("client_id", "client_secret", "auth_uri", "token_uri")
GOOGLE_DOMAINS = (".google.com", ".googleapis.com")
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


class OAuthClient(Record):
    """OAuth client of an installed app. The secret of an installed app is not confidential."""

    client_id: str
    client_secret: str
    auth_uri: str
    token_uri: str


def read_client_file(path: Path) -> OAuthClient:
    """Reads the client from a file. Raises `BadFile` with the cause."""
    data = _read(path)
    if len(data) > LARGEST_BYTES:
        raise BadFile(str(path), 0, Cause.CLIENT_TOO_LARGE)
    if not data.strip(b"\xef\xbb\xbf\x00 \t\r\n"):
        raise BadFile(str(path), 0, Cause.FILE_EMPTY)
    return _client(path, _object(path, data))


def _read(path: Path) -> bytes:
    """Reads at most one byte more than a client may have. Pipes and devices are rejected, since reading them could block."""
    try:
        if path.is_dir():
            raise BadFile(str(path), 0, Cause.FOLDER_NOT_FILE)
        if path.exists() and not path.is_file():
            raise BadFile(str(path), 0, Cause.CLIENT_NOT_ORDINARY)
        with path.open("rb") as file:
            return file.read(LARGEST_BYTES + 1)
    except OSError as error:
        raise BadFile(str(path), 0, Cause.CLIENT_UNREADABLE, error.strerror or error) from error
    except ValueError as error:
        raise BadFile(str(path), 0, Cause.NO_FILE_NAME) from error


def _object(path: Path, data: bytes) -> dict[str, object]:
    try:
        found = json.loads(data.decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        raise BadFile(str(path), error.lineno, Cause.NOT_JSON, error.msg) from error
    except (ValueError, RecursionError) as error:  # not text, a number out of range, or nested too deep
        raise BadFile(str(path), 0, Cause.NOT_JSON_TEXT) from error
    if not isinstance(found, dict):
        raise BadFile(str(path), 1, Cause.NO_JSON_OBJECT)
    return found


def _client(path: Path, found: dict[str, object]) -> OAuthClient:
    if found.get("type") == "service_account":
        raise BadFile(str(path), 0, Cause.SERVICE_ACCOUNT)
    if found.get("type") == "authorized_user" or "refresh_token" in found:
        raise BadFile(str(path), 0, Cause.STORED_SIGN_IN)
    if "web" in found:
        raise BadFile(str(path), 0, Cause.WEB_CLIENT)
    installed = found.get("installed")
    if not isinstance(installed, dict):
        raise BadFile(str(path), 0, Cause.API_KEY_FILE if "api_key" in found else Cause.NO_CLIENT)
    values = [installed.get(name) for name in FIELDS]
    missing = [name for name, value in zip(FIELDS, values, strict=True) if not isinstance(value, str) or not value]
    if missing:
        raise BadFile(str(path), 0, Cause.CLIENT_LACKS, ", ".join(missing))
    for name in ("auth_uri", "token_uri"):
        if not _google_domain(str(installed[name])):
            raise BadFile(str(path), 0, Cause.ADDRESS_NOT_GOOGLE, name)
    return OAuthClient(*(str(value) for value in values))


def _google_domain(address: str) -> bool:
    """Whether the address is Google's over https, or a server on this machine.

    A foreign client file must not send the user to another consent page.
    """
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
    except ValueError:
        return False
    here = parts.scheme in ("http", "https") and host in LOOPBACK
    return here or (parts.scheme == "https" and host.endswith(GOOGLE_DOMAINS) and "@" not in parts.netloc)
