"""Whom a reply goes to, and what it is called."""

from dataclasses import replace

import pytest

from app.domain.mail import Address
from app.mail.replies import own_address, reply_recipients, reply_subject, settled_subject
from fakes.letters import ACCOUNT, message


@pytest.mark.parametrize(
    ("subject", "reply"),
    [
        ("Plans", "Re: Plans"),
        ("Re: Plans", "Re: Plans"),
        ("RE: Re: re: Plans", "Re: Plans"),
        ("AW: SV: Odp: Plans", "Re: Plans"),
        ("Re[2]: Plans", "Re: Plans"),
        ("Re : Plans", "Re: Plans"),
        ("回复：计划", "Re: 计划"),
        ("Reform of the office", "Re: Reform of the office"),
        ("", "Re:"),
        ("Re:", "Re:"),
    ],
)
def test_a_reply_has_one_prefix(subject: str, reply: str) -> None:
    assert reply_subject(subject) == reply
    assert reply_subject(reply) == reply


def emails(addresses: tuple[Address, ...]) -> list[str]:
    return [each.email for each in addresses]


def test_a_reply_goes_to_the_sender_or_where_the_sender_says() -> None:
    assert emails(reply_recipients(message(), ACCOUNT, False)[0]) == ["bob@example.org"]
    elsewhere = message(reply_to=(Address("list@example.org"),))
    assert emails(reply_recipients(elsewhere, ACCOUNT, False)[0]) == ["list@example.org"]


def test_a_reply_to_everybody_leaves_the_owner_out() -> None:
    busy = message(
        to=(Address("olga@example.com"), Address("eva@example.org"), Address("SALES@example.com".lower())),
        cc=(Address("bob@example.org"), Address("jan@example.org"), Address("olga@example.com")),
    )
    to, cc = reply_recipients(busy, ACCOUNT, True)
    assert (emails(to), emails(cc)) == (["bob@example.org", "eva@example.org"], ["jan@example.org"])
    assert reply_recipients(busy, ACCOUNT, False)[1] == ()


def test_an_answer_to_ones_own_mail_goes_on_to_its_recipients() -> None:
    own = message(sender=Address("olga@example.com"), to=(Address("bob@example.org"),), labels=frozenset({"SENT"}))
    assert emails(reply_recipients(own, ACCOUNT, False)[0]) == ["bob@example.org"]
    note = message(sender=Address("olga@example.com"), to=(Address("olga@example.com"),))
    assert emails(reply_recipients(note, ACCOUNT, True)[0]) == ["olga@example.com"]


def test_gmail_spellings_of_one_mailbox_are_one() -> None:
    account = replace(ACCOUNT, email="olga.n@gmail.com", send_as=())
    busy = message(to=(Address("olgan+work@gmail.com"), Address("eva@example.org")))
    assert emails(reply_recipients(busy, account, True)[0]) == ["bob@example.org", "eva@example.org"]


def test_an_approved_subject_keeps_its_words() -> None:
    assert settled_subject("New topic") == "New topic"
    assert settled_subject(" RE: re: Plans ") == "Re: Plans"


def test_the_own_address_is_the_one_that_was_written_to() -> None:
    assert own_address(ACCOUNT, message(cc=(Address("sales@example.com"),), to=())).email == "sales@example.com"
    assert own_address(ACCOUNT, message(to=(Address("list@example.org"),))).email == "olga@example.com"
    assert own_address(ACCOUNT, None) == Address("olga@example.com", "Olga Nováková")
