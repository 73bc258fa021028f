"""Who gets a reply, and its subject.

Addresses in text: found whole or not at all, in one pass over any text.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.ids import AccountId
from app.domain.mail.message import Account, Address, Message
from app.domain.mail.recipients import MOST, mentioned, reply_recipients, reply_subject
from fakes.gmail.messages import stored_message

ME, ALIAS, ANN, BOB, CAT, LIST = (Address(f"{one}@x.org") for one in ("me", "alias", "ann", "bob", "cat", "list"))
ACCOUNT = Account(AccountId(1), "me@x.org", "Me", ("me@x.org", "Alias@x.org", "olga.n@gmail.com"), "", "")

Some = tuple[Address, ...]


def mail(sender: Address, to: Some, cc: Some = (), reply_to: Some = ()) -> Message:
    return stored_message(sender=sender, to=to, cc=cc, reply_to=reply_to)


@pytest.mark.parametrize(
    ("message", "to", "cc", "cc_of_all"),
    [
        (mail(ANN, (ME,)), (ANN,), (), ()),
        (mail(ANN, (ME, BOB), (CAT,)), (ANN,), (), (BOB, CAT)),
        (mail(ANN, (ALIAS, BOB)), (ANN,), (), (BOB,)),
        (mail(ANN, (ME, ANN), (BOB, BOB)), (ANN,), (), (BOB,)),
        (mail(ANN, (ME,), reply_to=(LIST,)), (LIST,), (), ()),
        (mail(ANN, (ME, LIST, BOB), reply_to=(LIST,)), (LIST,), (), (BOB,)),
        (mail(ME, (ANN, BOB), (CAT,)), (ANN, BOB), (), (CAT,)),
        (mail(ME, (ME,)), (ME,), (), ()),
        (mail(ANN, (ME, BOB), reply_to=(ME,)), (ME,), (), ()),
        (mail(ANN, (Address("olgan+work@gmail.com"), BOB)), (ANN,), (), (BOB,)),
        (mail(Address("o.lgan@googlemail.com"), (ANN,)), (ANN,), (), ()),
    ],
)
def test_recipients(message: Message, to: Some, cc: Some, cc_of_all: Some) -> None:
    assert reply_recipients(message, ACCOUNT, everybody=False) == (to, cc)
    if message.reply_to != (ME,):
        assert reply_recipients(message, ACCOUNT, everybody=True) == (to, cc_of_all)


PEOPLE = st.lists(st.sampled_from([ME, ALIAS, ANN, BOB, CAT, LIST]), max_size=5).map(tuple)


@given(st.sampled_from([ME, ANN, BOB]), PEOPLE, PEOPLE, PEOPLE, st.booleans())
def test_nobody_twice_and_somebody_always(sender: Address, to: Some, cc: Some, reply_to: Some, everybody: bool) -> None:
    message = mail(sender, to, cc, reply_to)
    first, others = reply_recipients(message, ACCOUNT, everybody)
    together = [one.email for one in first + others]
    assert len(together) == len(set(together))
    assert set(together) <= {one.email for one in (sender, *to, *cc, *reply_to)}
    if first and first != (ME,) and {one.email for one in first} - {"me@x.org", "alias@x.org"}:
        assert not {"me@x.org", "alias@x.org"} & set(together)


@pytest.mark.parametrize(
    ("subject", "wanted"),
    [
        ("Hello", "Re: Hello"),
        ("Re: Hello", "Re: Hello"),
        ("RE: AW: Re[2]: Hello", "Re: Hello"),
        ("AW: SV: Odp: Plans", "Re: Plans"),
        ("Re : Plans", "Re: Plans"),
        ("回复：计划", "Re: 计划"),
        ("Re:", "Re:"),
        ("", "Re:"),
        ("Regards", "Re: Regards"),
    ],
)
def test_subjects(subject: str, wanted: str) -> None:
    assert reply_subject(subject) == wanted


@given(st.text(max_size=60))
def test_a_reply_to_a_reply_keeps_its_subject(subject: str) -> None:
    once = reply_subject(subject)
    assert reply_subject(once) == once


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


def test_a_million_signs_are_not_looked_at_one_by_one() -> None:
    assert mentioned("@" * 1_000_000) == frozenset()
    assert mentioned("a" * 1_000_000 + "@") == frozenset()
    assert len(mentioned("a@b.c " * 5)) == 1
    assert len(mentioned(" ".join(f"a{at}@b.cz" for at in range(MOST + 50)))) == MOST
