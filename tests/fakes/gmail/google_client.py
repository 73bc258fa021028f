"""The unmodified Google clients connected to a sandbox, and small mails."""

import base64
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import google.oauth2.credentials
import google_auth_httplib2
import pytest
from googleapiclient import discovery_cache
from googleapiclient.discovery import build_from_document
from googleapiclient.errors import HttpError
from googleapiclient.http import build_http

from fakes.gmail.sandbox import Sandbox

DOCUMENTS = Path(discovery_cache.__file__).parent / "documents"


@cache
def discovery(name: str) -> dict[str, Any]:
    """Google's discovery document from the client package: gmail.v1, calendar.v3 or people.v1."""
    document: dict[str, Any] = json.loads((DOCUMENTS / f"{name}.json").read_text("utf-8"))
    return document


def google_service(name: str, url: str, token: str) -> Any:
    """The unmodified Google client, connected to a sandbox."""
    document = dict(discovery(name))
    document["rootUrl"] = url + "/"
    document["baseUrl"] = document["rootUrl"] + document["servicePath"]
    document.pop("mtlsRootUrl", None)
    http = google_auth_httplib2.AuthorizedHttp(google.oauth2.credentials.Credentials(token), http=build_http())
    return build_from_document(json.dumps(document), http=http)


def mail(subject: str = "Hello", text: str = "Some words.", sender: str = "Bob <bob@other.example>", **more: str) -> bytes:
    """A small mail. Underscores in the names of further headers become dashes."""
    headers = {"From": sender, "Subject": subject, **{name.replace("_", "-"): value for name, value in more.items()}}
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"{head}\r\n{text}\r\n".encode()


def encoded(raw: bytes) -> str:
    """A mail in the encoding of Gmail's field `raw`."""
    return base64.urlsafe_b64encode(raw).decode("ascii")


class Box:
    """An account of the shared server and its Google clients."""

    def __init__(self, sandbox: Sandbox, address: str, token: str) -> None:
        self.sandbox = sandbox
        self.address = address
        self.token = token
        self.gmail = google_service("gmail.v1", sandbox.url, token)
        self.messages = self.gmail.users().messages()
        self.threads = self.gmail.users().threads()
        self.drafts = self.gmail.users().drafts()

    def deliver(self, raw: bytes, **options: Any) -> dict[str, Any]:
        """Delivers a mail."""
        return self.sandbox.mail.deliver(raw, account=self.address, **options)

    def get(self, message_id: str, **options: Any) -> dict[str, Any]:
        answer: dict[str, Any] = self.messages.get(userId="me", id=message_id, **options).execute()
        return answer

    def found(self, query: str, **options: Any) -> list[str]:
        """The ids that `messages.list` returns."""
        answer = self.messages.list(userId="me", q=query, **options).execute()
        return [entry["id"] for entry in answer.get("messages", [])]

    def send(self, raw: bytes, thread: str | None = None) -> dict[str, Any]:
        """`messages.send`."""
        body = {"raw": encoded(raw)} | ({"threadId": thread} if thread else {})
        answer: dict[str, Any] = self.messages.send(userId="me", body=body).execute()
        return answer

    def draft(self, raw: bytes, thread: str | None = None) -> dict[str, Any]:
        """`drafts.create`."""
        message = {"raw": encoded(raw)} | ({"threadId": thread} if thread else {})
        answer: dict[str, Any] = self.drafts.create(userId="me", body={"message": message}).execute()
        return answer

    def history(self, start: str, **options: Any) -> dict[str, Any]:
        """`history.list`."""
        answer: dict[str, Any] = self.gmail.users().history().list(userId="me", startHistoryId=start, **options).execute()
        return answer

    def profile(self) -> dict[str, Any]:
        """`getProfile`."""
        answer: dict[str, Any] = self.gmail.users().getProfile(userId="me").execute()
        return answer

    def service(self, name: str) -> Any:
        """Calendar or People for this account."""
        return google_service(name, self.sandbox.url, self.token)


def refusal(call: Callable[[], Any]) -> tuple[int, str]:
    """The HTTP code and Google's reason of a call that must fail."""
    with pytest.raises(HttpError) as caught:
        call()
    body = json.loads(caught.value.content)
    return int(caught.value.resp.status), str(body["error"]["errors"][0]["reason"])


def conforms(api: str, name: str, value: Any) -> None:
    """Fails unless a value has only the fields and types of Google's discovery document."""
    files = {"gmail": "gmail.v1", "calendar": "calendar.v3", "people": "people.v1"}
    schemas = discovery(files[api])["schemas"]
    _check(schemas, schemas[name], value, name)


def _check(schemas: dict[str, Any], schema: dict[str, Any], value: Any, where: str) -> None:
    if "$ref" in schema:
        schema = schemas[schema["$ref"]]
    kind = schema["type"]
    if kind == "object":
        assert isinstance(value, dict), where
        for name, inner in value.items():
            known = schema.get("properties", {}).get(name) or schema.get("additionalProperties")
            assert known, f"{where}.{name} is unknown to Google"
            _check(schemas, known, inner, f"{where}.{name}")
    elif kind == "array":
        assert isinstance(value, list), where
        for item in value:
            _check(schemas, schema["items"], item, f"{where}[]")
    elif kind != "any":
        types = {"string": str, "boolean": bool, "integer": int, "number": (int, float)}
        assert isinstance(value, types[kind]), f"{where} is {value!r}"
        assert "enum" not in schema or value in schema["enum"], f"{where} is {value!r}"
