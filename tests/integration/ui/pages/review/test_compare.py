"""The difference of two drafts holds both of them, and a long draft is compared word by word only where it changed."""

from hypothesis import given
from hypothesis import strategies as st

from app.ui.pages.review.draft_card import MOST_WORDS, steps

WORDS = st.lists(st.sampled_from(["a", "b", " ", "\n", "word"]), max_size=60)


@given(old=WORDS, new=WORDS)
def test_both_drafts_are_in_it(old: list[str], new: list[str]) -> None:
    for more in ([], ["long"] * MOST_WORDS):
        found = list(steps([*old, *more], [*more, *new]))
        assert [word for before, _after in found for word in before] == [*old, *more]
        assert [word for _before, after in found for word in after] == [*more, *new]


def test_only_what_changed_is_marked() -> None:
    old = [word for line in range(3000) for word in ("Line", " ", str(line), " ", "of", " ", "it", "\n")]
    new = list(old)
    new[16:17] = ["Row"]
    new[-9:-8] = ["them"]
    changed = [(list(before), list(after)) for before, after in steps(old, new) if list(before) != list(after)]
    assert changed == [(["Line"], ["Row"]), (["\n"], ["them"])]
