"""Skeletons of domains."""

import pytest

from app.agent.lookalike import skeleton


@pytest.mark.parametrize(
    "twin",
    ["paypa1.com", "раypal.com", "paypal.com", "PAYPAL.com", "pаypаl.com", "paypál.com", "xn--pypal-4ve.com", "paypai.com"],
)
def test_twins_share_a_skeleton(twin: str) -> None:
    assert skeleton(twin) == skeleton("paypal.com")


@pytest.mark.parametrize(
    ("one", "two"), [("rnicrosoft.com", "microsoft.com"), ("vvork.org", "work.org"), ("g00gle.com", "google.com")]
)
def test_pairs_and_digits(one: str, two: str) -> None:
    assert skeleton(one) == skeleton(two)


@pytest.mark.parametrize("other", ["paypal.org", "paypals.com", "example.com", "xn--\x00.com", ""])
def test_others_do_not(other: str) -> None:
    assert skeleton(other) != skeleton("paypal.com")
