"""The conversation as pure data: one result a call, Done last, edits that change one call only and nothing in place."""

import copy
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from app.agent.agents.responder.conversation import (
    DONE,
    CallStatus,
    last_calls,
    next_call,
    owner_words,
    results,
    settled,
)
from app.agent.llm.turns import ToolCall
from app.agent.runtime.conversation import dump, load, with_arguments, with_result, with_turn, with_words
from app.agent.runtime.state import MailState

names = st.sampled_from(["send_email", "Question", DONE, "unknown"])
arguments = st.dictionaries(
    st.text(max_size=5), st.one_of(st.text(max_size=5), st.integers(), st.lists(st.text(max_size=3))), max_size=3
)
made = st.lists(st.builds(ToolCall, st.just("same"), names, arguments), min_size=1, max_size=7)


@given(st.lists(made, min_size=1, max_size=4))
def test_every_call_gets_one_result_in_order(spoken: list[list[ToolCall]]) -> None:
    talk: list[dict[str, Any]] = []
    seen: list[str] = []
    for turn in spoken:
        talk = load(MailState(messages=dump(with_turn(talk, "", turn))))
        while (call := next_call(talk)) is not None:
            seen.append(call.id)
            talk = with_result(talk, call, {"status": CallStatus.READ})
    assert len(seen) == len(set(seen)) == sum(map(len, spoken))
    assert set(results(talk)) == set(seen)


@given(made)
def test_done_comes_last(turn: list[ToolCall]) -> None:
    order = [one.name == DONE for one in last_calls(with_turn([], "", turn))]
    assert order == sorted(order)


@given(made, arguments)
def test_an_edit_changes_one_call_and_nothing_in_place(turn: list[ToolCall], edit: dict[str, Any]) -> None:
    talk = with_turn([], "", turn)
    before = copy.deepcopy(talk)
    edited = with_arguments(talk, "c1_1", edit)
    assert talk == before
    after = {one.id: one.arguments for one in last_calls(edited)}
    assert after == {**{one.id: one.arguments for one in last_calls(talk)}, "c1_1": edit}


def test_done_waits_for_what_the_model_has_not_heard() -> None:
    turn = [ToolCall("", "send_email", {}), ToolCall("", DONE, {})]
    for status, done in (
        (CallStatus.QUEUED, True),
        (CallStatus.FEEDBACK, False),
        (CallStatus.ERROR, False),
        (CallStatus.READ, False),
    ):
        talk = with_turn([], "", turn)
        assert not settled(talk)
        assert settled(with_result(talk, last_calls(talk)[0], {"status": status})) is done


def test_the_owners_words_are_gathered() -> None:
    talk = with_turn(with_words([], "be kind"), "", [ToolCall("", "Question", {}), ToolCall("", "send_email", {})])
    first, second = last_calls(talk)
    talk = with_result(talk, first, {"status": CallStatus.ANSWER, "answer": "499 EUR"})
    talk = with_result(talk, second, {"status": CallStatus.FEEDBACK, "feedback": "shorter"})
    assert owner_words(talk) == "be kind\n499 EUR\nshorter"
