"""Many label changes folded into few do the same as one after the other."""

from hypothesis import given
from hypothesis import strategies as st

from app.domain.ids import GmailId
from app.domain.protocol.changes import LabelChange, chunks, fold

LABELS = st.lists(st.sampled_from(["INBOX", "UNREAD", "STARRED", "Label_1"]), max_size=3, unique=True)
IDS = st.lists(st.sampled_from([GmailId(f"m{n}") for n in range(5)]), min_size=1, unique=True)


@st.composite
def change(draw: st.DrawFn) -> LabelChange:
    """A change that does not put on and take off the same label."""
    add = draw(LABELS)
    return LabelChange(tuple(draw(IDS)), tuple(add), tuple(one for one in draw(LABELS) if one not in add))


def applied(changes: list[LabelChange], start: dict[str, set[str]]) -> dict[str, set[str]]:
    """What the labels are afterwards."""
    state = {key: set(labels) for key, labels in start.items()}
    for one in changes:
        for gmail_id in one.gmail_ids:
            state[gmail_id] = (state[gmail_id] - set(one.remove)) | set(one.add)
    return state


@given(
    st.lists(change(), max_size=8),
    st.fixed_dictionaries({f"m{n}": st.sets(st.sampled_from(["INBOX", "UNREAD"])) for n in range(5)}),
)
def test_folding_changes_nothing_about_the_outcome(changes: list[LabelChange], start: dict[str, set[str]]) -> None:
    folded = list(fold(changes))
    assert applied(folded, start) == applied(changes, start)
    named = [gmail_id for one in folded for gmail_id in one.gmail_ids]
    assert len(named) == len(set(named))


def test_the_same_change_of_many_is_one() -> None:
    many = [LabelChange((GmailId(f"m{n}"),), (), ("INBOX",)) for n in range(40)]
    assert len(fold(many)) == 1


def test_chunks_hold_everything_in_order() -> None:
    ids = [GmailId(str(n)) for n in range(2500)]
    parts = chunks(ids, 1000)
    assert [len(part) for part in parts] == [1000, 1000, 500]
    assert [one for part in parts for one in part] == ids
