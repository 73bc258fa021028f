"""What goes out to a model: masked words and whole prompts."""

import json
from pathlib import Path
from string import Template
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.agent.llm.outgoing import Masks
from app.agent.llm.prompts import fence, prompt
from fakes.engine.agent_mailbox import PROMPTS

CARD = "4111 1111 1111 1111"
IBAN = "CZ65 0800 0000 1920 0014 5399"


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        (f"Pay with {CARD}, please.", CARD),
        ("4111-1111-1111-1111", "4111-1111-1111-1111"),
        (f"To {IBAN} THANK YOU", IBAN),
        ("to de89370400440532013000.", "de89370400440532013000"),
        ("My account is 19-2000145399/0800.", "19-2000145399/0800"),
        ("Account number: 12345678", "12345678"),
        ("Your code is 482913.", "482913"),
        ("Your verification code:\n\n  482 913\n", "482 913"),
        ("482913 is your Example code", "482913"),
        ("Heslo: tajne123", "tajne123"),
        ("key sk-abcdefghijklmnop1234", "sk-abcdefghijklmnop1234"),
        ("-----BEGIN PRIVATE KEY-----\nMIIabc\n-----END PRIVATE KEY-----", "MIIabc"),
    ],
)
def test_what_is_masked(text: str, secret: str) -> None:
    messages = [{"role": "user", "content": text}]
    masks = Masks(messages)
    (hidden,) = masks.hide(messages)
    assert secret not in hidden["content"]
    assert masks.show(hidden["content"]) == text


@pytest.mark.parametrize(
    "text",
    [
        "On 12/2026 at 10:30, room 4, 1 200 CZK",
        "+420 777 123 456",
        "Order 20261124 of 24 November 2026",
        '{"drugs": [{"code": "0254045", "name": "Paralen 500"}]}',
        "3e38f345024ca4111111111111111c0a863d01245056309b9bbfdf72436ff65a666",
    ],
)
def test_what_stays(text: str) -> None:
    messages = [{"role": "user", "content": text}]
    assert Masks(messages).hide(messages) == messages


def _card(digits: list[int], gap: str) -> str:
    text = "".join(map(str, digits))
    return gap.join(text[at : at + 4] for at in range(0, 16, 4))


SECRETS = st.one_of(
    st.builds(_card, st.lists(st.integers(0, 9), min_size=16, max_size=16), st.sampled_from(["", " ", "-"])),
    st.sampled_from([IBAN, IBAN.replace(" ", ""), "DE89 3704 0044 0532 0130 00", "GB82WEST12345698765432"]),
    st.builds("{}-{:010}/{:04}".format, st.integers(0, 999999), st.integers(1, 10**10 - 1), st.integers(0, 9999)),
)
WORDS = st.text(st.characters(codec="utf-8", categories=("L", "Z", "P")), max_size=30)


@settings(max_examples=2 * settings.default.max_examples)
@given(st.lists(st.tuples(WORDS, SECRETS), min_size=1, max_size=5), WORDS)
def test_nothing_masked_is_sent_and_all_is_put_back(parts: list[tuple[str, str]], end: str) -> None:
    text = "".join(f"{words}\n{secret}\n" for words, secret in parts) + end
    call = {"id": "1", "function": {"name": "f", "arguments": json.dumps({"x": parts[0][1]})}}
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": "You sort."},
        {"role": "user", "content": [{"type": "text", "text": text}]},
        {"role": "assistant", "content": "", "tool_calls": [call]},
    ]
    masks = Masks(messages)
    hidden = masks.hide(messages)
    sent = json.dumps(hidden, ensure_ascii=False)
    for _words, secret in parts:
        assert secret not in sent
    assert masks.show(hidden[1:]) == messages[1:]
    said = SimpleNamespace(
        content=hidden[1]["content"][0]["text"], tool_calls=[SimpleNamespace(function=SimpleNamespace(**call["function"]))]
    )
    said.tool_calls[0].function.arguments = hidden[2]["tool_calls"][0]["function"]["arguments"]
    masks.show_in(said)
    assert said.content == text
    assert json.loads(said.tool_calls[0].function.arguments) == {"x": parts[0][1]}


def test_marks_that_a_mail_contains_already_are_left_alone() -> None:
    messages = [{"role": "user", "content": f"CODE-1-HIDDEN and {CARD}"}]
    masks = Masks(messages)
    (hidden,) = masks.hide(messages)
    assert hidden["content"] == "CODE-1-HIDDEN and CARD-2-HIDDEN"
    assert masks.show("card-2-hidden, CODE-1-HIDDEN") == f"{CARD}, CODE-1-HIDDEN"


@pytest.mark.parametrize("path", sorted(PROMPTS.glob("*.md")), ids=lambda path: path.stem)
def test_every_prompt_names_its_placeholders(path: Path) -> None:
    names = Template(path.read_text(encoding="utf-8")).get_identifiers()
    filled = prompt(PROMPTS, path.stem, **dict.fromkeys(names, "$value"))
    assert filled.count("$value") >= len(names)
    if names:
        with pytest.raises(KeyError):
            prompt(PROMPTS, path.stem)


@settings(max_examples=2 * settings.default.max_examples)
@given(st.text())
def test_a_fence_holds_its_text(text: str) -> None:
    fenced = fence(text, "mail")
    head, _, rest = fenced.partition("\n")
    mark = head.removeprefix("<<<mail ")
    assert len(mark) == 10
    assert rest == f"{text}\n{mark}>>>"
    assert mark not in text
    assert fence(text, "mail") != fenced
