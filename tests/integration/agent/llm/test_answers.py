"""Drafts come in pieces over a real socket: whole or not at all, with their tokens counted once."""

import asyncio
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import pytest

from app.agent.llm.answers import NotStreamed, StreamCutOff, StreamStalled, gathered
from app.agent.llm.gateway import LiteLlmGateway
from app.agent.llm.target import ModelTarget
from app.domain.errors import ModelUnavailable
from app.domain.ids import RunId
from fakes.engine.agent_mailbox import Room
from fakes.models.model_server import Answer, ModelServer, structured

RUN = RunId("run-1")
ASK = [{"role": "user", "content": "Write."}]
SCHEMA = {"type": "object", "properties": {"body": {"type": "string"}}, "required": ["body"], "additionalProperties": False}
BODY = "Hello Ann, the price is what it was before, and so is everything else."


def gateway(room: Room, server: ModelServer, *backoff_s: float, timeout_s: float = 20.0) -> LiteLlmGateway:
    return LiteLlmGateway(ModelTarget("openai/scripted", server.api_base, "key", timeout_s), room.runs, room.clock, backoff_s)


def kept(room: Room) -> list[tuple[Any, ...]]:
    rows = room.db.read("SELECT prompt_tokens, completion_tokens, error FROM llm_calls ORDER BY rowid")
    return [tuple(row) for row in rows]


async def test_a_draft_is_streamed_and_counted(room: Room, model: ModelServer) -> None:
    model.enqueue(structured(body=BODY))
    assert await gateway(room, model).structured(RUN, "generate", ASK, SCHEMA) == {"body": BODY}
    assert model.history[0]["stream"] is True
    assert kept(room) == [(100, 20, "")]


async def test_short_answers_are_not(room: Room, model: ModelServer) -> None:
    model.enqueue(structured(body=BODY))
    await gateway(room, model).structured(RUN, "triage", ASK, SCHEMA)
    assert not model.history[0].get("stream")


@pytest.mark.parametrize("after", [0, 150, 700, 1400])
async def test_a_stream_that_is_cut_is_no_answer_and_is_asked_for_again(room: Room, model: ModelServer, after: int) -> None:
    whole = structured(body=BODY)
    model.enqueue(Answer(whole.text, cut_after=after), whole)
    assert await gateway(room, model, 0.0).structured(RUN, "generate", ASK, SCHEMA) == {"body": BODY}
    assert len(model.history) == 2
    first, second = kept(room)
    assert first[2] != ""
    assert second == (100, 20, "")


async def test_cut_every_time_the_call_fails_in_plain_words(room: Room, model: ModelServer) -> None:
    model.enqueue(*(Answer(structured(body=BODY).text, cut_after=700) for _ in range(2)))
    with pytest.raises(ModelUnavailable) as caught:
        await gateway(room, model, 0.0).structured(RUN, "generate", ASK, SCHEMA)
    assert BODY[:12] not in str(caught.value)
    assert len(model.history) == 2


async def test_an_error_before_the_stream_is_tried_again(room: Room, model: ModelServer) -> None:
    model.enqueue(Answer("busy", status=500), structured(body=BODY))
    assert await gateway(room, model, 0.0).structured(RUN, "generate", ASK, SCHEMA) == {"body": BODY}


async def pieces(*reasons: str | None, wait_s: float = 0.0, said: str = "a") -> AsyncIterator[Any]:
    for reason in reasons:
        await asyncio.sleep(wait_s)
        yield SimpleNamespace(choices=[SimpleNamespace(finish_reason=reason, delta=SimpleNamespace(content=said))])


async def test_what_ends_a_stream() -> None:
    assert len(await gathered(pieces(None, None, "stop"), 5.0)) == 3
    with pytest.raises(StreamCutOff):
        await gathered(pieces(None, None), 5.0)
    for nothing in (pieces(), pieces("stop", said="")):
        with pytest.raises(NotStreamed):
            await gathered(nothing, 5.0)
    with pytest.raises(StreamStalled):
        await gathered(pieces(None, "stop", wait_s=30.0), 0.01)
