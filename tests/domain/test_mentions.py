"""Addresses in text: found whole or not at all, in one pass over any text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.mentions import MOST, mentioned

INFO = "info@shop.cz"


@pytest.mark.parametrize(
    "text",
    [
        "info@shop.cz",
        "Write to INFO@Shop.CZ.",
        "From: Shop <info@shop.cz>\nHello",
        "[mailto:info@shop.cz]",
        '"info@shop.cz"',
        "'info@shop.cz'",
        "*info@shop.cz*",
        "(info@shop.cz), ok",
        "请联系info@shop.cz谢谢",
        "info@shop.cz-",
        "info@shop.cz...",
        "info@shop.cz?subject=x",
        "x@y and info@shop.cz",
        "@@@ info@shop.cz",
    ],
)
def test_the_address_is_found(text: str) -> None:
    assert INFO in mentioned(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "xinfo@shop.cz",
        "žinfo@shop.cz",
        "my.info@shop.cz",
        "my-info@shop.cz",
        "info@shop.czx",
        "info@shop.cz.evil.com",
        "info@shop.cz-evil.com",
        "info@shop.cz@evil.com",
        "a@info@shop.cz",
        "info@shop.cz_x",
        "info @shop.cz",
        "info@ shop.cz",
        "info(at)shop.cz",
        "infoXshopYcz",
        "a" * 100 + "info@shop.cz",
    ],
)
def test_near_misses_are_not(text: str) -> None:
    assert INFO not in mentioned(text)


@given(st.text(alphabet="info@shop.cz <>-_x\n", max_size=80))
def test_whatever_stands_around(noise: str) -> None:
    assert INFO in mentioned(f"{noise} {INFO} {noise}")


@given(st.from_regex(r"[a-z0-9]{1,20}@[a-z0-9]{1,20}\.[a-z]{2,5}", fullmatch=True), st.text(max_size=30))
def test_an_address_on_its_own_line_is_found(address: str, noise: str) -> None:
    assert address in mentioned(f"{noise}\n{address}\n{noise}")


def test_a_million_signs_are_not_looked_at_one_by_one() -> None:
    assert mentioned("@" * 1_000_000) == frozenset()
    assert mentioned("a" * 1_000_000 + "@") == frozenset()
    assert len(mentioned("a@b.c " * 5)) == 1
    assert len(mentioned(" ".join(f"a{at}@b.cz" for at in range(MOST + 50)))) == MOST
