"""Answers of models: what fits, errors by kind, prices."""

import json
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agent.drafting.verdict_request import TRIAGE_SCHEMA
from app.agent.llm.answers import AnswerFormatError, parse_object, tool_turn
from app.agent.llm.litellm_setup import (
    COMPLETION_TOKENS,
    FORCED_ENVIRONMENT,
    PROMPT_TOKENS,
    load_litellm,
    usd_per_mail,
)
from app.agent.llm.schemas import sent_schema
from app.agent.llm.target import ModelTarget
from app.domain.agents.model_providers import KEYLESS_PREFIXES
from app.domain.mail.triage import Category, Decision

SCHEMA = {
    "type": "object",
    "properties": {"names": {"type": "array", "items": {"type": "string", "minLength": 1}, "maxItems": 3}},
    "required": ["names"],
    "additionalProperties": False,
}


@given(st.text(max_size=80))
def test_anything_else_is_not_fitting(text: str) -> None:
    try:
        found = parse_object(text, SCHEMA)
    except AnswerFormatError as error:
        assert str(error)
    else:
        assert set(found) == {"names"}


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ('{"names": ["a"]}', True),
        ('Sure!\n```json\n{"names": []}\n```\nDone.', True),
        ('{"names": ["line\nbreak"]}', True),
        ('{"names": [""]}', False),
        ('{"names": ["a"], "more": 1}', True),
        ('{"Names": "a",}', True),
        ("{'names': ['a', 'b']}", True),
        ('{"result": {"names": ["a"]}}', True),
        ('<think>{"names": 5} or {}?</think>{"names": []}', True),
        ('{"names": "..."} is the form. </think> {"names": ["a"]}', True),
        ('{"other": ["a"]}', False),
        ('{"names": ["a"', False),
        ('{{"names": ["a"]}}', True),
        ('["a"]', False),
        ("{" * 5000 + "}", False),
    ],
)
def test_objects_in_answers(text: str, fits: bool) -> None:
    if fits:
        assert "names" in parse_object(text, SCHEMA)
    else:
        with pytest.raises(AnswerFormatError):
            parse_object(text, SCHEMA)


def test_providers_get_the_plain_schema() -> None:
    assert sent_schema(SCHEMA) == {
        "type": "object",
        "properties": {"names": {"type": "array", "items": {"type": "string"}}},
        "required": ["names"],
        "additionalProperties": False,
    }


@pytest.mark.parametrize(
    ("target", "host"),
    [
        (ModelTarget("openai/x", "http://user:pass@127.0.0.1:8080/v1"), "127.0.0.1:8080"),
        (ModelTarget("gemini/gemini-2.5-pro"), "gemini"),
        (ModelTarget("gpt-5"), "gpt-5"),
    ],
)
def test_hosts_name_no_secret(target: ModelTarget, host: str) -> None:
    assert target.host == host


@pytest.mark.parametrize("provider", sorted(KEYLESS_PREFIXES))
def test_local_providers_need_no_key(provider: str) -> None:
    ModelTarget(f"{provider}/model").check()


VERDICT = {
    "type": "object",
    "properties": {
        "decision": {"type": "string", "enum": ["respond", "no_answer"], "synonyms": {"reply": "respond", "fyi": "no_answer"}},
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
        "count": {"type": "integer"},
        "reason": {"type": "string", "maxLength": 10, "cut": True, "default": ""},
    },
    "required": ["decision", "confidence", "reason"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("decision", "confidence", "read"),
    [
        ("Respond", "0.9", ("respond", 0.9)),
        ("no answer", 90, ("no_answer", 0.9)),
        ("No-Answer", "90 %", ("no_answer", 0.9)),
        ("Reply to the sender", "high", ("respond", 0.9)),
        ("FYI", "9/10", ("no_answer", 0.9)),
        ("respond", "0,9", ("respond", 0.9)),
        ("respond", 1, ("respond", 1)),
    ],
)
def test_other_words_for_the_same(decision: str, confidence: object, read: tuple[str, float]) -> None:
    found = parse_object(json.dumps({"Decision": decision, "confidence": confidence, "count": "3"}), VERDICT)
    assert (found["decision"], found["confidence"], found["count"], found["reason"]) == (*read, 3, "")


@pytest.mark.parametrize(
    "text",
    [
        '{"decision": "maybe", "confidence": 0.9}',
        '{"decision": "reply or fyi", "confidence": 0.9, "count": "three"}',
        '{"decision": "respond", "confidence": "quite"}',
        '{"decision": "respond", "confidence": 900}',
        '{"decision": "respond"}',
    ],
)
def test_nothing_is_guessed(text: str) -> None:
    with pytest.raises(AnswerFormatError):
        parse_object(text, VERDICT)


def test_litellm_is_settled_before_use() -> None:
    import os

    door = load_litellm()
    assert {name: os.environ[name] for name in FORCED_ENVIRONMENT} == FORCED_ENVIRONMENT
    assert (door.litellm.telemetry, door.litellm.num_retries, door.litellm.suppress_debug_info) == (False, 0, True)
    for name in (
        "APIConnectionError",
        "BadGatewayError",
        "InternalServerError",
        "MidStreamFallbackError",
        "RateLimitError",
        "ServiceUnavailableError",
        "Timeout",
        "AuthenticationError",
        "NotFoundError",
        "ContextWindowExceededError",
    ):
        assert issubclass(getattr(door.litellm.exceptions, name), door.error_class), name


@pytest.mark.parametrize("depth", [900, 5000])
def test_an_answer_without_end_is_not_fitting(depth: int) -> None:
    """Deeper than the parser goes, and deeper than an error about it could be put into words."""
    with pytest.raises(AnswerFormatError):
        parse_object('{"names": ' + "[" * depth + "]" * depth + "}", SCHEMA)


def test_arguments_without_end_are_none() -> None:
    function = SimpleNamespace(name="Done", arguments='{"a": ' + "[" * 5000)
    message = SimpleNamespace(content=None, tool_calls=[SimpleNamespace(id="1", function=function)])
    assert [one.arguments for one in tool_turn(message, []).calls] == [{}]


PARAMETERS = {"type": "object", "properties": {"dates": {"type": "array", "items": {"type": "string"}}}}
CALENDAR = {"type": "function", "function": {"name": "check_calendar", "parameters": PARAMETERS}}
DATES = '{"dates": ["20-11-2026"]}'


def turn_of(content: str, name: str = "", arguments: str | None = None) -> list[tuple[str, Any]]:
    made = SimpleNamespace(id="1", function=SimpleNamespace(name=name, arguments=arguments))
    message = SimpleNamespace(content=content, tool_calls=[made] if name else None)
    return [(one.name, one.arguments) for one in tool_turn(message, [CALENDAR]).calls]


@pytest.mark.parametrize(
    "name", ["Check_Calendar", "checkCalendar", "functions.check_calendar:0", "default_api.check_calendar", "tool:check-calendar"]
)
def test_the_name_of_a_tool_in_any_spelling(name: str) -> None:
    assert turn_of("", name, "{'Dates': '20-11-2026',}") == [("check_calendar", {"dates": ["20-11-2026"]})]


@pytest.mark.parametrize(
    "text",
    [
        f'<think>{{}}</think> {{"name": "check_calendar", "arguments": {DATES}}}',
        f'{{"name": "Check_Calendar", "arguments": {json.dumps(DATES)}}}',
        f'{{"type": "function", "function": {{"name": "check_calendar", "parameters": {DATES}}}}}',
        f'{{"tool_calls": [{{"name": "check_calendar", "arguments": {DATES}}}]}}',
        f'{{"action": "check_calendar", "action_input": {DATES}}}',
        f'{{"check_calendar": {DATES}}}',
        f"<function=check_calendar>{DATES}</function>",
        f"[TOOL_CALLS]check_calendar{DATES}",
        f"Action: check_calendar\nAction Input: {DATES}",
        f"<｜tool▁call▁begin｜>function<｜tool▁sep｜>check_calendar\n```json\n{DATES}\n```<｜tool▁call▁end｜>",
    ],
)
def test_a_call_written_as_text(text: str) -> None:
    assert turn_of(text) == [("check_calendar", {"dates": ["20-11-2026"]})]


@pytest.mark.parametrize(
    "text", ['{"name": "send_all", "arguments": {}}', f"I could call check_calendar with {DATES}.", "", "{}"]
)
def test_what_is_no_call(text: str) -> None:
    assert turn_of(text) == []


VERDICTS = st.fixed_dictionaries(
    {
        "decision": st.sampled_from(list(Decision)).map(str),
        "category": st.sampled_from(list(Category)).map(str),
        "confidence": st.integers(0, 100).map(lambda one: one / 100),
        "reason": st.text(st.characters(codec="utf-8", exclude_characters="<>[]"), max_size=40),
    }
)


def _spelled(verdict: dict[str, Any], change: Callable[[str], str]) -> dict[str, Any]:
    return {**verdict, "decision": change(verdict["decision"]), "category": change(verdict["category"])}


Change = Callable[[dict[str, Any]], dict[str, Any]]
WORDS: dict[str, Change] = {
    "as asked": lambda verdict: verdict,
    "capitals": lambda verdict: _spelled(verdict, str.upper),
    "titles": lambda verdict: _spelled(verdict, lambda one: one.replace("_", " ").title()),
    "dashes": lambda verdict: _spelled(verdict, lambda one: one.replace("_", "-")),
    "a sentence": lambda verdict: _spelled(verdict, lambda one: f"The right word is {one}."),
}
NUMBERS: dict[str, Change] = {
    "as asked": lambda verdict: verdict,
    "a text": lambda verdict: {**verdict, "confidence": str(verdict["confidence"])},
    "per cent": lambda verdict: {**verdict, "confidence": f"{verdict['confidence']:.0%}"},
}
KEYS: dict[str, Change] = {
    "as asked": lambda verdict: verdict,
    "more": lambda verdict: {"thoughts": ["a"], **verdict, "x": {"y": 1}},
    "other order": lambda verdict: dict(reversed(verdict.items())),
    "titles": lambda verdict: {key.title(): value for key, value in verdict.items()},
    "wrapped": lambda verdict: {"verdict": verdict},
}
FORMS: dict[str, Callable[[str], str]] = {
    "bare": str,
    "fence": lambda text: f"Sure:\n```json\n{text}\n```\nAnything {{else}}?",
    "thoughts": lambda text: f'<think>Is it {{}} or {{"decision": 1}}?</think>{text}',
    "unopened thoughts": lambda text: f'Maybe {{"a": 1}}</think>{text}',
    "harmony": lambda text: f"<|channel|>analysis<|message|>Hm {{}}<|channel|>final<|message|>{text}",
    "trailing comma": lambda text: text[:-1] + ",}",
    "twice": lambda text: f"{text}\n{text}",
}


@given(VERDICTS, *(st.sampled_from(sorted(changes)) for changes in (WORDS, NUMBERS, KEYS, FORMS)))
def test_a_verdict_in_other_words_is_the_same_verdict(
    verdict: dict[str, Any], words: str, number: str, keys: str, form: str
) -> None:
    changed = KEYS[keys](NUMBERS[number](WORDS[words](verdict)))
    found = parse_object(FORMS[form](json.dumps(changed, ensure_ascii=False)), TRIAGE_SCHEMA)
    assert found == {**verdict, "confidence": pytest.approx(verdict["confidence"])}


@given(VERDICTS, st.data())
def test_a_broken_verdict_is_not_guessed(verdict: dict[str, Any], data: st.DataObject) -> None:
    text = json.dumps(verdict)
    cut = text[: data.draw(st.integers(0, len(text) - 1))]
    with pytest.raises(AnswerFormatError):
        parse_object(cut, TRIAGE_SCHEMA)
    lost = data.draw(st.sampled_from(["decision", "category", "confidence"]))
    with pytest.raises(AnswerFormatError, match=lost):
        parse_object(json.dumps({key: value for key, value in verdict.items() if key != lost}), TRIAGE_SCHEMA)


def test_a_known_model_costs_its_tokens() -> None:
    price = usd_per_mail(ModelTarget("gemini/gemini-2.5-pro"))
    assert price is not None
    assert price == pytest.approx(PROMPT_TOKENS * 1.25e-06 + COMPLETION_TOKENS * 1e-05)


@pytest.mark.parametrize(
    "target",
    [
        ModelTarget("ollama/llama3.2"),
        ModelTarget("openai/scripted", "http://127.0.0.1:1234/v1"),
        ModelTarget("openai/x", "http://localhost:1/v1"),
    ],
)
def test_a_model_on_this_machine_costs_nothing(target: ModelTarget) -> None:
    assert usd_per_mail(target) == 0.0


@pytest.mark.parametrize("model", ["openai/nobody-knows-this", "somebody/else", "nonsense"])
def test_an_unknown_model_has_no_price(model: str) -> None:
    assert usd_per_mail(ModelTarget(model, "https://models.example/v1")) is None
