"""Where Google's services are: Google itself, or a server that speaks like it.

Builds request factories from the discovery documents that are packaged with the client library, so nothing is loaded at build
time.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from urllib.parse import urlsplit

import httplib2
from googleapiclient.discovery import Resource, build_from_document

from app.domain.errors import NotAllowed

GOOGLE_REFRESH_URL = "https://oauth2.googleapis.com/token"
ENDPOINT_VARIABLE = "REPLYROOM_GOOGLE_ENDPOINT"
REFRESH_VARIABLE = "REPLYROOM_GOOGLE_TOKEN_URI"
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


@dataclass(frozen=True, slots=True)
class Endpoint:
    """`root_url` with a slash at its end, or empty for Google's own addresses; `token_url` refreshes access tokens."""

    root_url: str = ""
    token_url: str = GOOGLE_REFRESH_URL

    @property
    def loopback(self) -> bool:
        """Whether the services run on this machine, where no proxy may come between."""
        return urlsplit(self.root_url).hostname in LOOPBACK

    def root_of(self, document: Mapping[str, object]) -> str:
        """The root URL to use with a discovery document."""
        return self.root_url or str(document["rootUrl"])


def endpoint_from(environment: Mapping[str, str]) -> Endpoint:
    """The endpoint that `REPLYROOM_GOOGLE_ENDPOINT` and `REPLYROOM_GOOGLE_TOKEN_URI` name. Raises `NotAllowed`."""
    root = _checked(environment.get(ENDPOINT_VARIABLE, ""), ENDPOINT_VARIABLE)
    token = _checked(environment.get(REFRESH_VARIABLE, ""), REFRESH_VARIABLE)
    return Endpoint(root and root.rstrip("/") + "/", token or GOOGLE_REFRESH_URL)


def discovery_document(api: str) -> dict[str, object]:
    """The packaged discovery document of `api`, such as gmail.v1."""
    path = files("googleapiclient.discovery_cache") / "documents" / f"{api}.json"
    document: dict[str, object] = json.loads(path.read_text(encoding="utf-8"))
    return document


def requests_of(endpoint: Endpoint, api: str) -> Resource:
    """The request factory of `api` at `endpoint`. Its requests are sent through `app.mail.gmail.wire.transport` only."""
    document = discovery_document(api)
    document["rootUrl"] = endpoint.root_of(document)
    document.pop("mtlsRootUrl", None)
    return build_from_document(document, http=httplib2.Http())


def _checked(address: str, variable: str) -> str:
    """The address, if a token may be sent there."""
    if not address:
        return ""
    parts = urlsplit(address)
    if not parts.hostname or parts.scheme not in {"http", "https"}:
        raise NotAllowed(f"{variable} is no address of a server.", "Set it to something like http://127.0.0.1:8025/.")
    if parts.scheme == "http" and parts.hostname not in LOOPBACK:
        raise NotAllowed(f"{variable} would send the access token in clear text.", "Use https, or a server on 127.0.0.1.")
    return address
