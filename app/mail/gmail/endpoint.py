"""The address of Google's services: Google itself or a compatible server.

Request factories are built from the discovery documents packaged with the client library, so nothing is downloaded.
"""

import json
from collections.abc import Mapping
from importlib.resources import files
from urllib.parse import urlsplit

import httplib2
from googleapiclient.discovery import Resource, build_from_document

from app.domain.errors import NotAllowed
from app.domain.record import Record

GOOGLE_REFRESH_URL = "https://oauth2.googleapis.com/token"
ENDPOINT_VARIABLE = "REPLYROOM_GOOGLE_ENDPOINT"
REFRESH_VARIABLE = "REPLYROOM_GOOGLE_TOKEN_URI"
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


class Endpoint(Record):
    """`root_url` ends with a slash, or is empty for Google. `token_url` refreshes access tokens."""

    root_url: str = ""
    token_url: str = GOOGLE_REFRESH_URL

    @property
    def loopback(self) -> bool:
        """Whether the services run on this machine; then no proxy is used."""
        return urlsplit(self.root_url).hostname in LOOPBACK

    def root_of(self, document: Mapping[str, object]) -> str:
        """The root URL to use with a discovery document."""
        return self.root_url or str(document["rootUrl"])


def endpoint_from(environment: Mapping[str, str]) -> Endpoint:
    """Reads `REPLYROOM_GOOGLE_ENDPOINT` and `REPLYROOM_GOOGLE_TOKEN_URI`. Raises `NotAllowed`."""
    root = _checked(environment.get(ENDPOINT_VARIABLE, ""), ENDPOINT_VARIABLE)
    token = _checked(environment.get(REFRESH_VARIABLE, ""), REFRESH_VARIABLE)
    return Endpoint(root and root.rstrip("/") + "/", token or GOOGLE_REFRESH_URL)


def discovery_document(api: str) -> dict[str, object]:
    """Returns the packaged discovery document of `api`, for example gmail.v1."""
    path = files("googleapiclient.discovery_cache") / "documents" / f"{api}.json"
    document: dict[str, object] = json.loads(path.read_text(encoding="utf-8"))
    return document


def requests_of(endpoint: Endpoint, api: str) -> Resource:
    """Builds the request factory of `api` at `endpoint`. Its requests are only sent through `app.mail.gmail.wire.transport`."""
    document = discovery_document(api)
    document["rootUrl"] = endpoint.root_of(document)
    document.pop("mtlsRootUrl", None)
    return build_from_document(document, http=httplib2.Http())


def _checked(address: str, variable: str) -> str:
    """The address, if a token may be sent to it. Raises `NotAllowed`."""
    if not address:
        return ""
    parts = urlsplit(address)
    if not parts.hostname or parts.scheme not in {"http", "https"}:
        raise NotAllowed(f"{variable} is no address of a server.", "Set it to something like http://127.0.0.1:8025/.")
    if parts.scheme == "http" and parts.hostname not in LOOPBACK:
        raise NotAllowed(f"{variable} would send the access token in clear text.", "Use https, or a server on 127.0.0.1.")
    return address
