"""The difference of two drafts holds both of them, and never compares very much at once."""

import difflib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.ui.pages.review.drafting import compare
from app.ui.pages.review.drafting.compare import MOST_WORDS, steps

WORDS = st.lists(st.sampled_from(["a", "b", " ", "\n", "word"]), max_size=60)


@pytest.mark.parametrize("most", [3, 400])
@given(old=WORDS, new=WORDS)
def test_both_drafts_are_in_it(most: int, old: list[str], new: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compare, "MOST_WORDS", most)
        found = list(steps(old, new))
    assert [word for before, _after in found for word in before] == old
    assert [word for _before, after in found for word in after] == new


def test_only_what_changed_is_compared_word_by_word(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[int] = []
    really = difflib.SequenceMatcher

    def counted(*, a: list[object], b: list[object], autojunk: bool) -> object:
        compared.append(0 if autojunk else max(len(a), len(b)))
        return really(a=a, b=b, autojunk=autojunk)

    monkeypatch.setattr("app.ui.pages.review.drafting.compare.difflib.SequenceMatcher", counted)
    old = [word for line in range(3000) for word in ("Line", " ", str(line), " ", "of", " ", "it", "\n")]
    new = list(old)
    new[16:17] = ["Row"]
    new[-9:-8] = ["them"]
    changed = [(list(before), list(after)) for before, after in steps(old, new) if list(before) != list(after)]
    assert changed == [(["Line"], ["Row"]), (["\n"], ["them"])]
    assert max(compared) <= MOST_WORDS
    assert len(compared) < 6
