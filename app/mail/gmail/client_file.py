"""Reads and checks the OAuth client file that a user downloads from Google's console."""

import json
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from app.domain.errors import BadFile

REMEDY = "In Google Cloud Console create an OAuth client of the type Desktop app and download its JSON file."
LARGEST_BYTES = 100_000
FIELDS = ("client_id", "client_secret", "auth_uri", "token_uri")
GOOGLES = (".google.com", ".googleapis.com")
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


@dataclass(frozen=True, slots=True)
class OAuthClient:
    """OAuth client of an installed app. The secret of an installed app is not confidential."""

    client_id: str
    client_secret: str
    auth_uri: str
    token_uri: str


def read_client_file(path: Path) -> OAuthClient:
    """Reads the client from a file. Raises `BadFile` with the problem and its remedy."""
    data = _read(path)
    if len(data) > LARGEST_BYTES:
        raise BadFile(str(path), 0, "The file is too large to be an OAuth client.", REMEDY)
    if not data.strip(b"\xef\xbb\xbf\x00 \t\r\n"):
        raise BadFile(str(path), 0, "The file is empty.", "Download the file again.")
    return _client(path, _object(path, data))


def _read(path: Path) -> bytes:
    """Reads at most one byte more than a client may have.

    Pipes and devices are rejected, since reading them could block.
    """
    try:
        if path.is_dir():
            raise BadFile(str(path), 0, "This is a folder, not a file.", "Choose the JSON file in it.")
        if path.exists() and not path.is_file():
            raise BadFile(str(path), 0, "This is no ordinary file.", REMEDY)
        with path.open("rb") as file:
            return file.read(LARGEST_BYTES + 1)
    except OSError as error:
        raise BadFile(str(path), 0, f"The file cannot be read: {error.strerror or error}.", "Choose another file.") from error
    except ValueError as error:
        raise BadFile(str(path), 0, "This is no name of a file.", "Choose another file.") from error


def _object(path: Path, data: bytes) -> dict[str, object]:
    try:
        found = json.loads(data.decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        raise BadFile(str(path), error.lineno, f"This is not JSON: {error.msg}.", REMEDY) from error
    except (ValueError, RecursionError) as error:  # not text, a number out of range, or nested too deep
        raise BadFile(str(path), 0, "This is not a JSON text file.", REMEDY) from error
    if not isinstance(found, dict):
        raise BadFile(str(path), 1, "The JSON is no object.", REMEDY)
    return found


def _client(path: Path, found: dict[str, object]) -> OAuthClient:
    if found.get("type") == "service_account":
        raise BadFile(str(path), 0, "This is the key of a service account, which cannot open a person's mailbox.", REMEDY)
    if found.get("type") == "authorized_user" or "refresh_token" in found:
        raise BadFile(str(path), 0, "This is a stored sign-in of another program, not a client.", REMEDY)
    if "web" in found:
        raise BadFile(str(path), 0, "This client is of the type Web application.", REMEDY)
    installed = found.get("installed")
    if not isinstance(installed, dict):
        what = "an API key's file" if "api_key" in found else "no OAuth client file"
        raise BadFile(str(path), 0, f'This is {what}: the object "installed" is missing.', REMEDY)
    values = [installed.get(name) for name in FIELDS]
    missing = [name for name, value in zip(FIELDS, values, strict=True) if not isinstance(value, str) or not value]
    if missing:
        raise BadFile(str(path), 0, f"The client lacks {', '.join(missing)}.", "Download the file again; do not edit it.")
    for name in ("auth_uri", "token_uri"):
        if not _googles(str(installed[name])):
            raise BadFile(
                str(path), 0, f"{name} is not an https address of Google's.", "Download the file again; do not edit it."
            )
    return OAuthClient(*(str(value) for value in values))


def _googles(address: str) -> bool:
    """Whether the address is Google's over https, or a server on this machine.

    A foreign client file must not send the user to another consent page.
    """
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
    except ValueError:
        return False
    here = parts.scheme in ("http", "https") and host in LOOPBACK
    return here or (parts.scheme == "https" and host.endswith(GOOGLES) and "@" not in parts.netloc)
