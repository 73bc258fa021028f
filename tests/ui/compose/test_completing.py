"""Addresses are looked through as a whole: the same are found as one by one, and no name is folded twice."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.mail import Address
from app.domain.ports.writing import KnownAddress
from app.ui.compose import completing
from app.ui.compose.completing import MOST, Directory, folded

NAMES = st.text(alphabet=st.sampled_from("aÁňn o"), max_size=8)
PEOPLE = st.lists(st.tuples(NAMES, st.sampled_from(["ana@no.org", "no@ana.org", "x@an.no", "o@x.org"])), max_size=30)


def one_by_one(known: list[KnownAddress], typed: str) -> list[KnownAddress]:
    """What completion promises."""
    wanted = folded(typed.strip())
    found = []
    for one in known:
        name, email = " ".join(folded(one.address.name).split()), one.address.email
        if wanted and (email.startswith(wanted) or f"@{wanted}" in email or f" {wanted}" in f" {name}"):
            found.append(one)
    return found[:MOST]


@given(people=PEOPLE, typed=st.one_of(NAMES, st.sampled_from(["an", "no@", "x@an", "org", "a o"])))
def test_the_same_are_found(people: list[tuple[str, str]], typed: str) -> None:
    known = [KnownAddress(Address(email, name), number) for number, (name, email) in enumerate(people)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(completing, "STRETCH", 7)
        assert Directory(known).matches(typed) == one_by_one(known, typed)


def test_names_are_folded_once_and_only_as_far_as_somebody_looked(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[int] = []
    really = completing.folded

    def counted(text: str) -> str:
        done.append(text.count("\n"))
        return really(text)

    monkeypatch.setattr(completing, "folded", counted)
    directory = Directory([KnownAddress(Address(f"p{at}@x.org", f"Žofie {at}"), 1) for at in range(20_000)])
    assert len(directory.matches("zof")) == MOST
    assert sum(done) == completing.STRETCH
    assert directory.matches("nobody") == []
    assert [one.address.name for one in directory.matches("19999")] == ["Žofie 19999"]
    assert sum(done) == 20_000
