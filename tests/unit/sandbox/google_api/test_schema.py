"""The method tables against Google's discovery documents: paths, scopes, parameters and message types.

Partial responses: the grammar of `fields` and the cut it makes.
"""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.sandbox.gmail.labels import PALETTE
from app.sandbox.google_api.errors import ApiError
from app.sandbox.google_api.schema import BODIES, Mask, Method, MethodRouter, apply_fields, fields_of, parse_fields
from app.sandbox.methods.gmail_table import gmail_methods
from app.sandbox.server.asgi import all_handlers, served_methods

METHODS = served_methods()
NEW_UNITS = {
    "getProfile": 1, "labels.list": 1, "history.list": 2, "messages.list": 5, "drafts.list": 5, "threads.list": 10,
    "messages.get": 20, "messages.attachments.get": 20, "drafts.get": 20, "threads.get": 40, "messages.modify": 5,
    "threads.modify": 10, "messages.batchModify": 50, "messages.batchDelete": 50, "messages.insert": 25,
    "messages.import": 25, "drafts.create": 10, "drafts.update": 15, "messages.send": 100, "drafts.send": 100,
    "messages.trash": 20, "threads.trash": 20,
}  # fmt: skip
OLD_UNITS = {"messages.get": 5, "messages.attachments.get": 5, "drafts.get": 5, "threads.get": 10, "messages.trash": 5}


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


@pytest.mark.parametrize(
    "name", ["Message", "Draft", "Label", "ModifyMessageRequest", "BatchModifyMessagesRequest", "ModifyThreadRequest"]
)
def test_gmail_bodies_have_googles_fields(name: str, documents: dict[str, dict[str, Any]]) -> None:
    assert set(fields_of(name)) == set(documents["gmail"]["schemas"][name]["properties"])


@pytest.mark.parametrize("name", ["Event", "EventAttendee", "EventDateTime", "FreeBusyRequest", "EventReminder"])
def test_calendar_bodies_have_googles_fields(name: str, documents: dict[str, dict[str, Any]]) -> None:
    assert set(fields_of(name)) == set(documents["calendar"]["schemas"][name]["properties"])


def test_bodies_refer_only_to_described_types() -> None:
    for name in BODIES:
        for kind in fields_of(name).values():
            plain = kind.removesuffix("[]")
            assert plain in BODIES or plain in {"string", "integer", "boolean", "object"} or "|" in plain, (name, kind)


def test_label_colours_are_googles(documents: dict[str, dict[str, Any]]) -> None:
    described = documents["gmail"]["schemas"]["LabelColor"]["properties"]["backgroundColor"]["description"]
    assert set(re.findall(r"#[0-9a-f]{6}", described.partition("allowed")[2])) == set(PALETTE.split())


def test_units_follow_both_tables() -> None:
    by_name = {method.id.removeprefix("gmail.users."): method.units for method in gmail_methods()}
    assert {name: by_name[name][0] for name in NEW_UNITS} == NEW_UNITS
    assert {name: by_name[name][1] for name in OLD_UNITS} == OLD_UNITS


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


NAMES = st.from_regex(r"[a-z][A-Za-z0-9]{0,6}", fullmatch=True)
MASKS: st.SearchStrategy[Mask] = st.recursive(
    st.just({}), lambda inner: st.dictionaries(NAMES, inner, min_size=1, max_size=4), max_leaves=10
).filter(bool)


@pytest.mark.parametrize(
    ("text", "mask"),
    [
        ("id", {"id": {}}),
        ("messages(id,threadId),nextPageToken", {"messages": {"id": {}, "threadId": {}}, "nextPageToken": {}}),
        ("a/b", {"a": {"b": {}}}),
        ("a/b/c,a/d", {"a": {"b": {"c": {}}, "d": {}}}),
        ("a/b(c,d/e)", {"a": {"b": {"c": {}, "d": {"e": {}}}}}),
        ("a,a/b", {"a": {}}),
        ("*", {"*": {}}),
        ("a/*", {"a": {"*": {}}}),
    ],
)
def test_grammar(text: str, mask: Mask) -> None:
    assert parse_fields(text) == mask


@pytest.mark.parametrize("text", ["a(", "a)", ",a", "a,,b", "a(b", "a()", "a/", "/a", "a b;", "a(b)c"])
def test_nonsense_is_refused_as_google_does(text: str) -> None:
    with pytest.raises(ApiError) as caught:
        parse_fields(text)
    assert (caught.value.code, caught.value.reason) == (400, "invalidParameter")


def _written(mask: Mask) -> str:
    return ",".join(name + (f"({_written(inner)})" if inner else "") for name, inner in mask.items())


@given(MASKS)
def test_what_is_written_is_read_back(mask: Mask) -> None:
    assert parse_fields(_written(mask)) == mask


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        parse_fields(text)
    except ApiError as error:
        assert error.code == 400


def test_lists_are_cut_item_by_item() -> None:
    answer = {"messages": [{"id": "1", "threadId": "2", "snippet": "x"}, {"id": "3"}], "nextPageToken": "n", "other": 1}
    cut = apply_fields(parse_fields("messages(id,threadId),nextPageToken"), answer)
    assert cut == {"messages": [{"id": "1", "threadId": "2"}, {"id": "3"}], "nextPageToken": "n"}


def test_star_keeps_every_name_of_a_level() -> None:
    answer = {"a": {"x": {"id": 1, "no": 2}, "y": {"id": 3}}}
    assert apply_fields(parse_fields("a/*/id"), answer) == {"a": {"x": {"id": 1}, "y": {"id": 3}}}
