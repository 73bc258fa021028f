"""Prompts: every file fills, and nothing a mail says can close its block."""

from pathlib import Path
from string import Template

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agent.llm.prompts import PromptBook, chat, fence
from fakes.engine.agent_mailbox import PROMPTS


@pytest.mark.parametrize("path", sorted(PROMPTS.glob("*.md")), ids=lambda path: path.stem)
def test_every_prompt_names_its_placeholders(path: Path) -> None:
    names = Template(path.read_text(encoding="utf-8")).get_identifiers()
    filled = PromptBook.read(PROMPTS, path.stem).fill(path.stem, **dict.fromkeys(names, "$value"))
    assert filled.count("$value") >= len(names)
    if names:
        with pytest.raises(KeyError):
            PromptBook.read(PROMPTS, path.stem).fill(path.stem)


def test_an_empty_value_is_said() -> None:
    assert PromptBook({"x": "about: $background"}).fill("x", background=" ") == "about: (none)"


@given(st.text())
def test_a_fence_holds_its_text(text: str) -> None:
    fenced = fence(text, "mail")
    head, _, rest = fenced.partition("\n")
    mark = head.removeprefix("<<<mail ")
    assert len(mark) == 10
    assert rest == f"{text}\n{mark}>>>"
    assert mark not in text
    assert fence(text, "mail") != fenced


def test_chat_leaves_empty_parts_out() -> None:
    assert chat("s", "a", "", "b") == [{"role": "system", "content": "s"}, {"role": "user", "content": "a\n\nb"}]
