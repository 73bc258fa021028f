"""Signs of a false identity.

Skeletons of domains.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agent.triage.phishing import PhishingSign, domain_skeleton, label, label_skeleton, one_edit, suspicion
from app.domain.mail.message import Address
from fakes.gmail.messages import ANN, OWNER, mail

PRESSING = "Urgent: your account is suspended. Verify your password and card details within 24 hours at http://x-verify.example/a"


@pytest.mark.parametrize(
    ("sender", "sign"),
    [
        (Address("help@pay-check.example", "PayPal Support"), PhishingSign.BRAND_NAME),
        (Address("info@posta-balik.example", "Česká pošta"), PhishingSign.BRAND_NAME),
        (Address("a@paypa1.com"), PhishingSign.LOOK_ALIKE),
        (Address("a@paypal-secure.net"), PhishingSign.LOOK_ALIKE),
        (Address("a@micros0ft.com"), PhishingSign.LOOK_ALIKE),
        (Address("a@xn--pypal-4ve.com"), PhishingSign.LOOK_ALIKE),
        (Address("boss@p0tter.example"), PhishingSign.LOOK_ALIKE),
    ],
)
def test_false_identities(sender: Address, sign: PhishingSign) -> None:
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
    assert PhishingSign.LINK_ELSEWHERE in suspicion(mail(html=html), OWNER, "").signs
    assert PhishingSign.LINK_ELSEWHERE not in suspicion(mail(html=honest), OWNER, "").signs


def test_failed_authentication_and_answers_to_a_free_mailbox() -> None:
    failed = mail(headers=(("Authentication-Results", "mx.example; spf=pass; dmarc=fail (p=none)"),))
    assert PhishingSign.NOT_AUTHENTIC in suspicion(failed, OWNER, "").signs
    elsewhere = mail(reply_to=(Address("ceo@gmail.com"),))
    assert PhishingSign.REPLY_ELSEWHERE in suspicion(elsewhere, OWNER, "").signs


def test_two_senders_in_one_mail_are_not_authentic() -> None:
    twice = mail("Hello", headers=(("From", "a@b.example"), ("From", "c@d.example")))
    assert PhishingSign.NOT_AUTHENTIC in suspicion(twice, OWNER, "Hello").signs
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
