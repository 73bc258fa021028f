"""Steps between id lists lead exactly there, and stay few."""

from array import array

from hypothesis import given
from hypothesis import strategies as st

from app.ui.lists.difference import MOST_COMPARED, Insert, Remove, Step, spliced, steps

ids = st.lists(st.integers(0, 60), unique=True, max_size=40)


def taken(old: list[int], wanted: list[Step]) -> list[int]:
    """What the steps make of a list."""
    rows = list(old)
    for step in wanted:
        if isinstance(step, Remove):
            assert 0 <= step.first <= step.last < len(rows)
            del rows[step.first : step.last + 1]
        else:
            assert 0 <= step.at <= len(rows)
            rows[step.at : step.at] = step.ids
    return rows


@given(ids, ids)
def test_steps_lead_to_the_new_list(old: list[int], new: list[int]) -> None:
    found = steps(array("q", old), array("q", new))
    assert found is not None
    assert taken(old, found) == new


@given(ids)
def test_nothing_changed_needs_no_step(old: list[int]) -> None:
    assert steps(array("q", old), array("q", old)) == []


def test_a_thread_that_comes_to_the_top_is_one_remove_and_one_insert() -> None:
    found = steps(array("q", range(100)), array("q", [50, *range(50), *range(51, 100)]))
    assert found == [Remove(50, 50), Insert(0, array("q", [50]))]


def test_too_much_change_is_a_reset() -> None:
    assert steps(array("q", range(MOST_COMPARED)), array("q", range(MOST_COMPARED, 2 * MOST_COMPARED))) is None


def test_what_was_passed_by_a_row_that_moved_up_stays() -> None:
    found = spliced(array("q", [0, 1, 2, 3, 4, 5]), array("q", [1000, 0, 1, 5]))
    assert found is not None
    assert list(found[1]) == [1000, 0, 1, 5, 4]


@given(st.lists(st.integers(0, 200), unique=True, min_size=1, max_size=60), st.sets(st.integers(0, 40), max_size=6), st.data())
def test_a_beginning_read_anew_is_spliced_in(old: list[int], moved: set[int], data: st.DataObject) -> None:
    """New mail comes in above, threads move up and some go away: what is spliced is what a whole reading gives."""
    size = data.draw(st.integers(1, len(old)))
    up = [old[at] for at in sorted(moved) if at < len(old)]
    gone = {key for at, key in enumerate(old) if at < size and data.draw(st.booleans())} - set(up)
    new = [1000, *up, *(key for key in old if key not in set(up) | gone)]
    head = array("q", new[:size])
    found = spliced(array("q", old), head)
    if found is None:
        assert not set(head) & set(old[: 2 * len(head)])
        return
    near, wanted, fresh = found
    assert fresh == set(head) - set(near)
    rows = [*wanted, *(key for key in old[len(near) :] if key not in fresh)]
    assert len(rows) == len(set(rows))
    assert rows[: len(head)] == list(head)
    assert set(rows) >= set(new) - set(old[:size])
