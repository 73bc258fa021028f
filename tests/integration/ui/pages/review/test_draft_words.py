"""Drafts and flags in words: the marks of a draft, red flags, and the difference of two drafts."""

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.domain.drafting.draft import Span, SpanKind
from app.domain.drafting.review import FlagKind, RedFlag
from app.ui.pages.review.draft_card import compared, marks_spoken
from app.ui.pages.review.review_texts import flag_words
from fakes.window.page_setup import Stage

TEXTS = st.lists(st.sampled_from(["a", "b", " ", "\n", "word"]), max_size=60).map("".join)


def parts(text: str, tag: str) -> list[str]:
    return re.findall(f"<{tag} [^>]*>(.*?)</{tag}>", text, re.DOTALL)


@given(old=TEXTS, new=TEXTS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_both_drafts_are_in_it(stage: Stage, old: str, new: str) -> None:
    shown = compared(old, new, stage.appearance.theme).removeprefix('<div style="white-space:pre-wrap">').removesuffix("</div>")
    for wanted, other, own in ((old, "u", "s"), (new, "s", "u")):
        left = re.sub(f"<{other} [^>]*>.*?</{other}>", "", shown, flags=re.DOTALL)
        assert re.sub(f"</?{own}[^>]*>", "", left) == wanted


def test_only_what_changed_is_marked(stage: Stage) -> None:
    old = "".join(f"Line {line} of it\n" for line in range(1000))
    shown = compared(old, old.replace("Line 2 ", "Row 2 "), stage.appearance.theme)
    assert (parts(shown, "s"), parts(shown, "u")) == (["Line"], ["Row"])


def test_the_mark_that_holds_an_approval_back_comes_first() -> None:
    body, source = "We ship on\nMonday, by Friday.", Span(0, 17, SpanKind.FROM_SOURCE)
    spans = (source, Span(19, 28, SpanKind.UNSUPPORTED, "why"), Span(29, 29, SpanKind.OPEN_SLOT, "price"))
    assert (
        marks_spoken(body, spans) == "Fill in: price. Not found in your mail: “by Friday”. From your mail: “We ship on Monday”."
    )
    assert marks_spoken(body, ()) == ""


@pytest.mark.parametrize("kind", FlagKind)
def test_every_flag_has_words(kind: FlagKind) -> None:
    assert flag_words(RedFlag(kind, "this"))
