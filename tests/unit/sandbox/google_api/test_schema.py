"""The method tables against Google's discovery documents: paths, scopes, parameters and message types.

Partial responses: the fields that `fields` names.
"""

import re
from typing import Any

import pytest

from app.sandbox.google_api.errors import ApiError
from app.sandbox.google_api.schema import BODIES, Method, MethodRouter, fields_of, reduced_to
from app.sandbox.methods.served_methods import gmail_methods
from app.sandbox.server.asgi import all_handlers, served_methods

METHODS = served_methods()
UNITS = {
    "getProfile": 1, "labels.list": 1, "history.list": 2, "messages.list": 5, "drafts.list": 5, "messages.get": 20,
    "messages.attachments.get": 20, "drafts.get": 20, "threads.get": 40, "messages.modify": 5, "messages.batchModify": 50,
    "drafts.create": 10, "drafts.update": 15, "messages.send": 100, "drafts.send": 100,
}  # fmt: skip


def _described(method: Method, documents: dict[str, dict[str, Any]]) -> dict[str, Any]:
    document = documents[method.id.partition(".")[0]]
    *places, name = method.id.split(".")[1:]
    node = document
    for place in places:
        node = node["resources"][place]
    found: dict[str, Any] = node["methods"][name]
    return found


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.id)
def test_method_is_as_google_describes_it(method: Method, documents: dict[str, dict[str, Any]]) -> None:
    described = _described(method, documents)
    document = documents[method.id.partition(".")[0]]
    path = "/" + document["servicePath"] + described.get("flatPath", described["path"])
    assert _shape(path) == _shape(method.path)
    assert described["httpMethod"] == method.verb
    assert set(described["scopes"]) == set(method.scopes)
    assert described.get("request", {}).get("$ref", "") == method.body
    assert int(described.get("mediaUpload", {}).get("maxSize", 0)) == method.max_upload_bytes
    given = described.get("parameters", {}).items()
    wanted = {name: _kind(parameter) for name, parameter in given if parameter["location"] == "query"}
    assert wanted == {name: _sorted(kind) for name, kind in method.query.items()}


def test_every_method_has_a_handler_and_every_handler_a_method() -> None:
    assert {method.id for method in METHODS} == set(all_handlers())


@pytest.mark.parametrize("name", ["Message", "Draft", "Label", "ModifyMessageRequest", "BatchModifyMessagesRequest"])
def test_gmail_bodies_have_googles_fields(name: str, documents: dict[str, dict[str, Any]]) -> None:
    assert set(fields_of(name)) == set(documents["gmail"]["schemas"][name]["properties"])


@pytest.mark.parametrize("name", ["Event", "EventAttendee", "EventDateTime", "EventReminder"])
def test_calendar_bodies_have_googles_fields(name: str, documents: dict[str, dict[str, Any]]) -> None:
    assert set(fields_of(name)) == set(documents["calendar"]["schemas"][name]["properties"])


def test_bodies_refer_only_to_described_types() -> None:
    for name in BODIES:
        for kind in fields_of(name).values():
            plain = kind.removesuffix("[]")
            assert plain in BODIES or plain in {"string", "integer", "boolean", "object"} or "|" in plain, (name, kind)


def test_units_follow_googles_table() -> None:
    by_name = {method.id.removeprefix("gmail.users."): method.units for method in gmail_methods()}
    assert {name: by_name[name] for name in UNITS} == UNITS


def test_router_prefers_literal_paths_and_decodes_arguments() -> None:
    router = MethodRouter(METHODS)
    send = router.find("POST", "/gmail/v1/users/me/messages/send")
    assert send is not None
    assert send.method.id == "gmail.users.messages.send"
    upload = router.find("POST", "/upload/gmail/v1/users/me/messages/send")
    assert upload is not None
    assert upload.upload
    event = router.find("GET", "/calendar/v3/calendars/ann%40example.com/events/abc")
    assert event is not None
    assert event.arguments["calendarId"] == "ann@example.com"
    assert router.find("GET", "/upload/gmail/v1/users/me/messages") is None
    assert router.find("PUT", "/gmail/v1/users/me/profile") is None


def _shape(path: str) -> str:
    return re.sub(r"\{\w+\}", "{}", path)


def _kind(parameter: dict[str, Any]) -> str:
    kind = "|".join(sorted(parameter["enum"])) if "enum" in parameter else parameter["type"]
    return kind + ("[]" if parameter.get("repeated") else "")


def _sorted(kind: str) -> str:
    plain = kind.removesuffix("[]")
    return "|".join(sorted(plain.split("|"))) + ("[]" if kind.endswith("[]") else "")


def test_a_partial_answer_has_the_named_fields_alone() -> None:
    answer: dict[str, object] = {"id": "1", "payload": {"headers": []}, "snippet": "x"}
    assert reduced_to("id, payload", answer) == {"id": "1", "payload": {"headers": []}}


@pytest.mark.parametrize("text", ["", "a(", "a)", ",a", "a,,b", "a(b)", "a/b", "a b;"])
def test_nonsense_is_refused_as_google_does(text: str) -> None:
    with pytest.raises(ApiError) as caught:
        reduced_to(text, {})
    assert (caught.value.code, caught.value.reason) == (400, "invalidParameter")
