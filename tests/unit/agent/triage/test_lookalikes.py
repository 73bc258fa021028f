"""Domains and names that look like others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agent.triage.lookalikes import domain_skeleton, label, label_skeleton, name_twin, one_edit


@pytest.mark.parametrize(
    ("name", "domain", "written"),
    [
        ("Keramika Zelinka", "keramika-zeiinka.example", "a@keramika-zeIinka.example"),
        ("Waterworks", "waterw0rks.example", "a@waterw0rks.example"),
        ("Keramika Zelinka", "keramika-zelinca.example", "a@keramika-zelinca.example"),
    ],
)
def test_a_domain_that_is_almost_its_name(name: str, domain: str, written: str) -> None:
    assert name_twin(name, domain, written)


@pytest.mark.parametrize(
    ("name", "domain"), [("Keramika Zelinka", "keramika-zelinka.example"), ("Ann", "work.example"), ("", "")]
)
def test_a_domain_that_is_its_name_or_another(name: str, domain: str) -> None:
    assert not name_twin(name, domain, f"a@{domain}")


@given(st.text(alphabet="abcd", max_size=6), st.text(alphabet="abcd", max_size=6))
def test_one_edit_is_symmetric_and_never_equal(first: str, second: str) -> None:
    assert one_edit(first, second) == one_edit(second, first)
    assert not one_edit(first, first)


@given(st.text(alphabet="abcdef", min_size=1, max_size=8), st.data())
def test_one_edit_sees_each_kind(word: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(word) - 1))
    assert one_edit(word, word[:at] + word[at + 1 :])
    assert one_edit(word, word[:at] + "z" + word[at:])
    assert one_edit(word, word[:at] + "z" + word[at + 1 :])


@pytest.mark.parametrize(
    ("domain", "name"), [("mail.paypal.co.uk", "paypal"), ("seznam.cz", "seznam"), ("localhost", "localhost"), ("", "")]
)
def test_label(domain: str, name: str) -> None:
    assert label(domain) == name


def test_skeletons_meet() -> None:
    assert label_skeleton("paypa1") == label_skeleton("pаypal") == label_skeleton("paypal")
    assert label_skeleton("rnoneta") == "moneta"


@pytest.mark.parametrize(
    "twin",
    ["paypa1.com", "раypal.com", "paypal.com", "PAYPAL.com", "pаypаl.com", "paypál.com", "xn--pypal-4ve.com", "paypai.com"],
)
def test_twins_share_a_skeleton(twin: str) -> None:
    assert domain_skeleton(twin) == domain_skeleton("paypal.com")


@pytest.mark.parametrize(
    ("one", "two"), [("rnicrosoft.com", "microsoft.com"), ("vvork.org", "work.org"), ("g00gle.com", "google.com")]
)
def test_pairs_and_digits(one: str, two: str) -> None:
    assert domain_skeleton(one) == domain_skeleton(two)


@pytest.mark.parametrize("other", ["paypal.org", "paypals.com", "example.com", "xn--\x00.com", ""])
def test_others_do_not(other: str) -> None:
    assert domain_skeleton(other) != domain_skeleton("paypal.com")
