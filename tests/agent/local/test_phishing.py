"""Signs of a false identity."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agent.local.phishing import Sign, label, one_edit, skeleton, suspicion
from app.domain.mail import Address
from fakes.local_mail import ANN, OWNER, mail

PRESSING = "Urgent: your account is suspended. Verify your password and card details within 24 hours at http://x-verify.example/a"


@pytest.mark.parametrize(
    ("sender", "sign"),
    [
        (Address("help@pay-check.example", "PayPal Support"), Sign.BRAND_NAME),
        (Address("info@posta-balik.example", "Česká pošta"), Sign.BRAND_NAME),
        (Address("a@paypa1.com"), Sign.LOOK_ALIKE),
        (Address("a@paypal-secure.net"), Sign.LOOK_ALIKE),
        (Address("a@micros0ft.com"), Sign.LOOK_ALIKE),
        (Address("a@xn--pypal-4ve.com"), Sign.LOOK_ALIKE),
        (Address("boss@p0tter.example"), Sign.LOOK_ALIKE),
    ],
)
def test_false_identities(sender: Address, sign: Sign) -> None:
    assert sign in suspicion(mail("Hello", sender=sender), OWNER, "Hello").signs


@pytest.mark.parametrize(
    "sender",
    [
        ANN,
        Address("service@paypal.com", "PayPal"),
        Address("x@mail.paypal.com", "PayPal"),
        Address("b@amazon.co.uk", "Amazon.co.uk"),
        Address("c@gmail.com", "Jo"),
        Address("d@potter.example", "Colleague"),
        Address("", ""),
    ],
)
def test_honest_senders_have_no_sign(sender: Address) -> None:
    assert not suspicion(mail("Hello", sender=sender), OWNER, "Hello").signs


def test_a_link_that_shows_another_host() -> None:
    html = '<a href="https://evil.example/x">https://www.mybank.example/login</a>'
    honest = '<a href="https://www.mybank.example/x">mybank.example</a> <a href="https://b.example">Click here</a>'
    assert Sign.LINK_ELSEWHERE in suspicion(mail(html=html), OWNER, "").signs
    assert Sign.LINK_ELSEWHERE not in suspicion(mail(html=honest), OWNER, "").signs


def test_failed_authentication_and_answers_to_a_free_mailbox() -> None:
    failed = mail(headers=(("Authentication-Results", "mx.example; spf=pass; dmarc=fail (p=none)"),))
    assert Sign.NOT_AUTHENTIC in suspicion(failed, OWNER, "").signs
    elsewhere = mail(reply_to=(Address("ceo@gmail.com"),))
    assert Sign.REPLY_ELSEWHERE in suspicion(elsewhere, OWNER, "").signs


def test_two_senders_in_one_mail_are_not_authentic() -> None:
    twice = mail("Hello", headers=(("From", "a@b.example"), ("From", "c@d.example")))
    assert Sign.NOT_AUTHENTIC in suspicion(twice, OWNER, "Hello").signs
    assert not suspicion(mail("Hello", headers=(("From", "a@b.example"),)), OWNER, "Hello").signs


def test_strong_needs_two_signs_that_fit() -> None:
    posing = mail(PRESSING, sender=Address("a@notice.example", "Netflix"))
    assert suspicion(posing, OWNER, PRESSING).strong
    assert not suspicion(mail("Hi", sender=Address("a@notice.example", "Netflix")), OWNER, "Hi").strong
    assert not suspicion(mail(PRESSING, sender=ANN), OWNER, "What does your password policy say?").strong


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
    assert skeleton("paypa1") == skeleton("pаypal") == skeleton("paypal")
    assert skeleton("rnoneta") == "moneta"
