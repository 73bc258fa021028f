"""The set of ids behind a long list, beside Python's own."""

from array import array
from collections.abc import Iterator
from itertools import count

from hypothesis import given
from hypothesis import strategies as st

from app.ui.lists.look import RowLook
from app.ui.lists.members import Members
from app.ui.lists.model import IdModel

IDS = st.lists(st.integers(-70, 200) | st.integers(-(2**63), 2**63 - 1))


@given(IDS, IDS, IDS)
def test_it_is_a_set(first: list[int], gone: list[int], further: list[int]) -> None:
    members, known = Members(first), set(first)
    members.discard(gone)
    members.add(further)
    known = (known - set(gone)) | set(further)
    assert all((key in members) == (key in known) for key in [*first, *gone, *further, 0, 1, -1])


def test_what_is_appended_costs_what_is_new() -> None:
    """Rows that stand there are not looked at again: as much is read for the first chunk as for the hundredth."""
    read = count()

    class Counted(array):
        def __iter__(self) -> Iterator[int]:
            next(read)
            return super().__iter__()

    model: IdModel[int] = IdModel(lambda ids: {}, lambda row: RowLook("", "", "", "", ""))
    model.set_ids(array("q", range(50)))
    model._ids = Counted("q", model._ids)
    for start in range(40, 4000, 40):
        model.append(array("q", range(start, start + 50)))
    assert list(model.ids) == list(range(4010))
    model.set_ids(array("q", range(100, 4010)))
    model.append(array("q", [5, 5, 200, 4009]))
    assert list(model.ids) == [*range(100, 4010), 5]
    assert next(read) <= 3
