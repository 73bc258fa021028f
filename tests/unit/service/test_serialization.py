"""States as JSON: what comes out, and what is refused."""

import json
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

import orjson
import pytest
from langchain_core.messages import HumanMessage
from langgraph.types import Interrupt

from app.domain.drafting.draft import Source, SourceKind
from app.service.serialization import event, packed, wire


class Colour(StrEnum):
    RED = "red"


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ((1, 2.5, None, True), [1, 2.5, None, True]),
        (float("inf"), None),
        (Colour.RED, "red"),
        ({Colour.RED: {1}}, {"red": [1]}),
        ("a\ud800b", "a?b"),
        (datetime(2026, 1, 2, tzinfo=UTC), "2026-01-02T00:00:00+00:00"),
        (Interrupt({"a": 1}, id="i"), {"value": {"a": 1}, "id": "i"}),
    ],
)
def test_values(value: Any, found: Any) -> None:
    assert wire(value) == found


def test_messages_and_dataclasses() -> None:
    assert wire(HumanMessage("hi", id="1"))["type"] == "human"  # type: ignore[call-overload, index]
    assert wire(Source(SourceKind.MESSAGE, "t", "e"))["kind"] == "message"  # type: ignore[call-overload, index]


def test_what_json_cannot_hold_is_refused() -> None:
    with pytest.raises(TypeError, match="bytes cannot be sent"):
        wire({"a": b"raw"})


def test_an_event_is_one_block_that_clients_read() -> None:
    block = event("updates", wire({"text": "line\r\nline\u2028\ud83d"}))
    lines = block.split(b"\r\n")
    assert [line.split(b":")[0] for line in lines] == [b"event", b"data", b"", b""]
    assert orjson.loads(lines[1].removeprefix(b"data: ")) == {"text": "line\r\nline\u2028?"}
    assert json.loads(packed({"č": 1})) == {"č": 1}
