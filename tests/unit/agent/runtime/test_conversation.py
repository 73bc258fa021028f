"""Conversations and log rows: nothing is lost on the way."""

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agent.llm.turns import ToolCall
from app.agent.runtime.conversation import (
    OWNER_SAYS,
    call_of,
    dump,
    load,
    made_call,
    turns,
    whole,
    with_arguments,
    with_result,
    with_turn,
    with_words,
)
from app.agent.runtime.run_recorder import dumped, loaded
from app.agent.runtime.state import MailState

HALF = "caf\udce9"


def test_what_a_model_or_a_tool_says_in_halves_can_be_kept() -> None:
    call = ToolCall("1", f"send{HALF}", {"body": HALF})
    talk = with_turn([], HALF, [call])
    made = call_of(talk[0]["tool_calls"][0])
    talk = with_words(with_result(talk, made, {"status": "read", "text": HALF}), "yes")
    kept = dump(talk)
    assert "caf?" in kept.encode("utf-8").decode("utf-8")
    assert load(MailState(messages=kept)) == talk
    assert (turns(talk), talk[-1]["content"]) == (1, f"{OWNER_SAYS}yes")


def test_an_edit_changes_one_call() -> None:
    talk = [{"role": "assistant", "content": "", "tool_calls": [made_call(one, "f", {"a": one}) for one in ("x", "y")]}]
    edited = with_arguments([*talk, {"role": "user", "content": ""}], "y", {"a": "z"})
    assert [call_of(one) for one in edited[0]["tool_calls"]] == [ToolCall("x", "f", {"a": "x"}), ToolCall("y", "f", {"a": "z"})]
    assert json.loads(talk[0]["tool_calls"][1]["function"]["arguments"]) == {"a": "y"}  # type: ignore[index]


def test_whole_leaves_whole_text_alone() -> None:
    assert whole("žluťoučký 🐎") == "žluťoučký 🐎"


values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=8), values, max_size=4))
def test_fields_come_back(fields: dict[str, Any]) -> None:
    assert loaded(dumped(fields)) == fields
    assert json.loads(dumped(fields)) == fields


def test_half_characters_and_odd_numbers_of_older_rows_are_read() -> None:
    half = {"text": "a\ud83d"}
    assert loaded(dumped(half)) == half
    assert loaded(json.dumps(half)) == half
    assert math.isnan(loaded('{"score": NaN}')["score"])


@pytest.mark.parametrize("text", ["", "[]", "3", "{", '{"a": 1} x'])
def test_what_is_no_object_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        loaded(text)
