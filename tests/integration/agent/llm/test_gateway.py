"""The gateway against a scripted model over HTTP, with the real litellm and the real journal."""

import asyncio

import pytest

from app.agent.llm.gateway import LiteLlmGateway
from app.agent.llm.litellm_setup import close_litellm
from app.agent.llm.target import ModelTarget
from app.agent.llm.turns import UnusableAnswer
from app.domain.agents.runs import ModelCall
from app.domain.errors import CapReached, ModelUnavailable
from app.domain.ids import RunId
from fakes.engine.agent_mailbox import Room
from fakes.models.model_server import Answer, ModelServer, calls, structured

RUN = RunId("run-1")
ASK = [{"role": "user", "content": "How many?"}]
SCHEMA = {
    "type": "object",
    "properties": {"count": {"type": "integer", "minimum": 1}},
    "required": ["count"],
    "additionalProperties": False,
}


def gateway(room: Room, server: ModelServer, model: str = "openai/scripted", **limits: float) -> LiteLlmGateway:
    target = ModelTarget(model, server.api_base, "key-1", **{"timeout_s": 20.0, **limits})  # type: ignore[arg-type]
    return LiteLlmGateway(target, room.runs, room.clock, backoff_s=(0.0, 0.0))


def kept(room: Room) -> list[tuple[object, ...]]:
    """The rows of calls: type, tokens, error, host."""
    rows = room.db.read("SELECT call_type, prompt_tokens, completion_tokens, error, host FROM llm_calls ORDER BY rowid")
    return [tuple(row) for row in rows]


async def test_structured_answers_fit_and_are_kept(room: Room, model: ModelServer) -> None:
    model.enqueue(structured(count=3))
    assert await gateway(room, model).structured(RUN, "triage", ASK, SCHEMA) == {"count": 3}
    (request,) = model.history
    assert request["model"] == "scripted"
    assert request["response_format"]["json_schema"]["schema"]["required"] == ["count"]
    assert "minimum" not in request["response_format"]["json_schema"]["schema"]["properties"]["count"]
    assert model.keys == ["key-1"]
    assert kept(room) == [("triage", 100, 20, "", model.api_base.split("/")[2])]
    (row,) = room.db.read("SELECT sent_bytes, cost_usd, model FROM llm_calls")
    assert row[0] > 50
    assert row[1] == 0
    assert row[2] == "openai/scripted"


@pytest.mark.parametrize(
    "first", [Answer("sorry, no"), Answer('{"count": 0}'), Answer('{"count": "many"}'), Answer('{"count": 3'), Answer("")]
)
async def test_one_repair(room: Room, model: ModelServer, first: Answer) -> None:
    model.enqueue(first, Answer('```json\n{"count": 4}\n```'))
    assert await gateway(room, model).structured(RUN, "triage", ASK, SCHEMA) == {"count": 4}
    assert "cannot be used" in model.prompts()[1]
    assert len(kept(room)) == 2


async def test_two_bad_answers_are_unusable(room: Room, model: ModelServer) -> None:
    model.enqueue(Answer("no"), Answer("still no"))
    with pytest.raises(UnusableAnswer, match="gave an answer that can't be used"):
        await gateway(room, model).structured(RUN, "triage", ASK, SCHEMA)


async def test_a_server_that_takes_no_schema_gets_it_in_words(room: Room, model: ModelServer) -> None:
    model.enqueue(Answer("response_format is not supported", status=400), structured(count=1), structured(count=2))
    asked = gateway(room, model)
    assert await asked.structured(RUN, "triage", ASK, SCHEMA) == {"count": 1}
    assert await asked.structured(RUN, "triage", ASK, SCHEMA) == {"count": 2}
    assert ["response_format" in one for one in model.history] == [True, False, False]
    assert '"count": {"type": "integer"}' in model.prompts()[1]


async def test_a_passing_failure_is_tried_again(room: Room, model: ModelServer) -> None:
    model.enqueue(Answer("oops", status=500), Answer("five"))
    assert await gateway(room, model).text(RUN, "generate", ASK) == "five"
    assert [row[3] for row in kept(room)] == ["InternalServerError", ""]


async def test_a_refused_connection(room: Room) -> None:
    with ModelServer() as gone:
        pass
    target = ModelTarget("openai/scripted", f"http://127.0.0.1:{_closed_port(gone)}/v1", "k")
    with pytest.raises(ModelUnavailable, match="isn't responding"):
        await LiteLlmGateway(target, room.runs, room.clock, backoff_s=()).text(RUN, "generate", ASK)
    await close_litellm()


def _closed_port(server: ModelServer) -> str:
    return server.api_base.split(":")[2].split("/")[0]


@pytest.mark.parametrize(
    ("target", "words"),
    [
        (ModelTarget("", ""), "No model is chosen"),
        (ModelTarget("openai/gpt-5"), "no key for OpenAI"),
        (ModelTarget("gemini/gemini-2.5-pro"), "no key for Google Gemini"),
        (ModelTarget("openai/x", "ftp://host"), "not http"),
        (ModelTarget("openai/x", "http://", "k"), "not http"),
        (ModelTarget("openai/x", "http://[", "k"), "not http"),
        (ModelTarget("nonsense-model", "", "k"), "has no provider"),
    ],
)
async def test_what_is_checked_before_any_call(room: Room, target: ModelTarget, words: str) -> None:
    with pytest.raises(ModelUnavailable, match=words):
        await LiteLlmGateway(target, room.runs, room.clock, backoff_s=()).text(RUN, "generate", ASK)


async def test_caps(room: Room, model: ModelServer) -> None:
    model.enqueue(Answer("one"), Answer("two"))
    asked = gateway(room, model, daily_calls=2)
    await asked.text(RUN, "generate", ASK)
    await asked.text(RUN, "generate", ASK)
    with pytest.raises(CapReached, match="cap is 2"):
        await asked.text(RUN, "generate", ASK)
    assert len(model.history) == 2


async def test_calls_at_once_do_not_pass_the_cap(room: Room, model: ModelServer) -> None:
    model.enqueue(*[Answer("one", wait_s=0.2)] * 4)
    asked = gateway(room, model, daily_calls=2)
    found = await asyncio.gather(*(asked.text(RUN, "generate", ASK) for _ in range(4)), return_exceptions=True)
    assert sorted(str(one)[:3] for one in found if not isinstance(one, CapReached)) == ["one", "one"]
    assert len(model.history) == 2


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({"monthly_calls": 2}, "made this month; the cap is 2"),
        ({"monthly_usd": 0.5}, "spent this month; the cap is 0.50"),
        ({"daily_calls": 9, "monthly_calls": 2}, "this month"),
    ],
)
async def test_monthly_caps_count_other_days(room: Room, model: ModelServer, limits: dict[str, float], words: str) -> None:
    room.now = room.now.replace(day=20)
    for day in (3, 12):
        at = room.now.replace(day=day)
        room.runs.model_call(ModelCall(RUN, "generate", "openai/scripted", 1, 1, 0.3, 1.0, "x", 9, "", at))
    assert room.runs.usage_today() == (0, 0, 0.0)
    with pytest.raises(CapReached, match=words):
        await gateway(room, model, **limits).text(RUN, "generate", ASK)
    assert model.history == []
    room.now = room.now.replace(month=12, day=2)
    model.enqueue(Answer("one"))
    assert await gateway(room, model, **limits).text(RUN, "generate", ASK) == "one"


async def test_tool_turns(room: Room, model: ModelServer) -> None:
    tool = {
        "type": "function",
        "function": {"name": "Done", "description": "End.", "parameters": {"type": "object", "properties": {}}},
    }
    model.enqueue(calls(("check_calendar", {"days": ["20-11-2026"]}), ("Done", {})), Answer("just words"))
    asked = gateway(room, model)
    turn = await asked.tools(RUN, "agent", ASK, [tool], required=True)
    assert [(one.name, one.arguments) for one in turn.calls] == [("check_calendar", {"days": ["20-11-2026"]}), ("Done", {})]
    assert model.history[0]["tool_choice"] == "required"
    words = await asked.tools(RUN, "agent", ASK, [tool], required=False)
    assert (words.text, words.calls) == ("just words", ())
