"""What every part of the Gmail client shares: the request factory's collections, and how its requests become calls."""

from typing import Protocol

from app.mail.gmail.endpoint import Endpoint, discovery_document, requests_of
from app.mail.gmail.wire.calls import Calls
from app.mail.gmail.wire.transport import HttpCall


class BuiltRequest(Protocol):
    """What is used of the client library's `HttpRequest`; its own `execute` is not."""

    uri: str
    method: str
    body: str | None
    headers: dict[str, str]


def call_of(request: BuiltRequest) -> HttpCall:
    """The call that a built request describes."""
    return HttpCall(request.uri, request.method, request.body, request.headers)


class GmailCollections:
    """Gmail's collections at an endpoint, made once: making one costs a millisecond, a request of it a tenth."""

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
