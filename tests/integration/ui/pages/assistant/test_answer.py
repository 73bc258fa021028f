"""Answers: a little Markdown, no HTML, no pictures, and links only to what stands in a source."""

import pytest

from app.domain.drafting.draft import Source, SourceKind
from app.ui.pages.assistant.answer import AnswerText, addresses_in, answer_html
from fakes.window.page_setup import Stage

KNOWN = frozenset({"https://shop.example/4411"})


def html(text: str) -> str:
    return answer_html(text, KNOWN, "#000000")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("One\nTwo", "<p>One<br>Two</p>"),
        ("One\n\nTwo", "<p>One</p><p>Two</p>"),
        ("## Head", "<p><b>Head</b></p>"),
        ("- a\n* b", "<ul><li>a</li><li>b</li></ul>"),
        ("3. a\n4. b", '<ol start="3"><li>a</li><li>b</li></ol>'),
        ("a **b** c", "<p>a <b>b</b> c</p>"),
        ("<b>x</b> & <img src='https://evil.example/x.png'>", None),
        ("![a dog](https://evil.example/dog.png)", "<p>a dog</p>"),
        ("[bank](https://evil.example/x)", "<p>bank (https://evil.example/x)</p>"),
        ("", ""),
    ],
)
def test_words_become_ours(text: str, shown: str | None) -> None:
    found = html(text)
    assert shown is None or found == shown
    assert "<img" not in found
    assert "evil.example" not in found or "href" not in found


def test_only_what_stands_in_a_source_is_linked() -> None:
    source = Source(SourceKind.MESSAGE, "Order", "See https://shop.example/4411, please.")
    assert addresses_in([source]) == KNOWN
    found = html("[here](https://shop.example/4411) or https://shop.example/4412")
    assert found.count("href") == 1
    assert ">https://shop.example/4411</a>)" in found, "the whole address is shown"


def test_nothing_is_fetched_and_the_height_follows_the_words(stage: Stage) -> None:
    text = AnswerText(stage.appearance, "Answer")
    text.resize(300, 10)
    text.show_answer("word " * 200, ())
    text.show()
    high = text.height()
    assert high > 100
    assert text.verticalScrollBar().maximum() == 0
    text.show_answer("word", ())
    assert text.height() < high
    assert text.loadResource(2, "https://evil.example/x.png") is None
    text.close()
