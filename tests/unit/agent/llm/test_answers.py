"""Answers, targets and failures without any server."""

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agent.llm.answers import AnswerFormatError, parse_object, tool_turn
from app.agent.llm.litellm_setup import FORCED_ENVIRONMENT, TRANSIENT, converted, load_litellm, rejects_format
from app.agent.llm.schemas import sent_schema
from app.agent.llm.target import KEYLESS, ModelTarget
from app.agent.llm.turns import UnusableAnswer
from app.domain.errors import ModelUnavailable

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
        ('{"names": ["a"], "more": 1}', False),
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


@pytest.mark.parametrize("provider", sorted(KEYLESS))
def test_local_providers_need_no_key(provider: str) -> None:
    ModelTarget(f"{provider}/model").check()


TARGET = ModelTarget("openai/x", "http://127.0.0.1:1/v1", "k")


@pytest.mark.parametrize("name", [*sorted(TRANSIENT), "Timeout", "BadRequestError", "SomethingNew", "PaymentRequiredError"])
def test_words_never_hold_the_providers_text(name: str) -> None:
    trouble = converted(type(name, (Exception,), {})("the words of a mail"), TARGET)
    assert isinstance(trouble, ModelUnavailable)
    assert "the words of a mail" not in str(trouble)


@pytest.mark.parametrize("name", ["ContextWindowExceededError", "ContentPolicyViolationError"])
def test_one_mails_trouble_is_unusable(name: str) -> None:
    assert isinstance(converted(type(name, (Exception,), {})("x"), TARGET), UnusableAnswer)


def test_a_rejected_format_is_told_from_a_bad_request() -> None:
    bad = type("BadRequestError", (Exception,), {})
    assert rejects_format(bad("json_schema is not supported"))
    assert not rejects_format(bad("the key is wrong"))
    assert not rejects_format(type("RateLimitError", (Exception,), {})("response_format"))


def test_litellm_is_settled_before_use() -> None:
    import os

    door = load_litellm()
    assert {name: os.environ[name] for name in FORCED_ENVIRONMENT} == FORCED_ENVIRONMENT
    assert (door.litellm.telemetry, door.litellm.num_retries, door.litellm.suppress_debug_info) == (False, 0, True)
    for name in (
        *TRANSIENT - {"APIError", "StreamCutOff"},
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
    assert [one.arguments for one in tool_turn(message).calls] == [{}]
