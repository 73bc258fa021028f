"""Gmail's request factory, shared by all parts of the client, and the conversion of its requests to calls."""

from typing import Protocol

from app.mail.gmail.endpoint import Endpoint, discovery_document, requests_of
from app.mail.gmail.wire.calls import Calls
from app.mail.gmail.wire.transport import HttpCall


class BuiltRequest(Protocol):
    """The used part of the client library's `HttpRequest`; its `execute` is not used."""

    uri: str
    method: str
    body: str | None
    headers: dict[str, str]


def call_of(request: BuiltRequest) -> HttpCall:
    """Converts a built request to an `HttpCall`."""
    return HttpCall(request.uri, request.method, request.body, request.headers)


class GmailCollections:
    """Gmail's collections at an endpoint, built once.

    Building a collection takes 1 ms, building a request 0.1 ms.
    """

    def __init__(self, endpoint: Endpoint, calls: Calls) -> None:
        document = discovery_document("gmail.v1")
        users = requests_of(endpoint, "gmail.v1").users()
        self.calls = calls
        self.root_url = endpoint.root_of(document)
        self.batch_url = self.root_url + str(document["batchPath"])
        self.users = users
        self.messages = users.messages()
        self.attachments = self.messages.attachments()
        self.threads = users.threads()
        self.drafts = users.drafts()
        self.labels = users.labels()
        self.history = users.history()
        self.send_as = users.settings().sendAs()
