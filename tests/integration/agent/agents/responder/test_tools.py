"""The conversation as pure data: one result a call, Done last, edits that change one call only and nothing in place."""

from app.agent.agents.responder.tools import (
    DONE,
    CallStatus,
    last_calls,
    owner_words,
    settled,
)
from app.agent.llm.turns import ToolCall
from app.agent.runtime.conversation import with_result, with_turn, with_words


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
