"""Domains and names that look like others: what passes for another, and what does not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.mail.lookalikes import (
    brands_in,
    free_mail,
    imitated,
    imitated_brand,
    imitated_owner,
    label,
    name_twin,
    one_edit,
    shown_domain,
    site,
    skeleton,
)
from app.domain.mail.message import Address
from fakes.gmail.messages import OWNER

KNOWN = ("bank.example", "kellerpartner.example", "novak-stavby.cz", "millerhardware.co.uk", "gmail.com", "partner.org")


@pytest.mark.parametrize(
    ("domain", "known"),
    [
        # letters that look alike
        ("ke11erpartner.example", "kellerpartner.example"), ("kelIerpartner.example", "kellerpartner.example"),
        ("kеllerpartner.example", "kellerpartner.example"), ("kellerpаrtner.example", "kellerpartner.example"),
        ("xn--kllerpartner-sck.example", "kellerpartner.example"), ("kellerpärtner.example", "kellerpartner.example"),
        ("partner.0rg", "partner.org"), ("rnillerhardware.co.uk", "millerhardware.co.uk"), ("gmai1.com", "gmail.com"),
        ("partnеr.org", "partner.org"), ("millerharclware.co.uk", "millerhardware.co.uk"), ("gmaıl.com", "gmail.com"),
        # invisible characters
        ("keller\u00adpartner.example", "kellerpartner.example"), ("part\u200bner.org", "partner.org"),
        ("novak-\u2060stavby.cz", "novak-stavby.cz"),
        # one letter typed wrong
        ("kellerpatner.example", "kellerpartner.example"), ("kellerparttner.example", "kellerpartner.example"),
        ("kellerparnter.example", "kellerpartner.example"), ("kellerpartnes.example", "kellerpartner.example"),
        ("novak-stavbi.cz", "novak-stavby.cz"), ("novakstavby.cz", "novak-stavby.cz"),
        ("milerhardware.co.uk", "millerhardware.co.uk"),
        # another ending
        ("kellerpartner.com", "kellerpartner.example"), ("kellerpartner.co", "kellerpartner.example"),
        ("partner.com", "partner.org"),
        ("millerhardware.com", "millerhardware.co.uk"), ("novak-stavby.eu", "novak-stavby.cz"),
        # the whole name below another domain
        ("bank.example.evil.example", "bank.example"), ("login.bank.example.secure.test", "bank.example"),
        ("kellerpartner.example.mail-check.test", "kellerpartner.example"),
        ("kellerpartner-example.test", "kellerpartner.example"),
        # words of a service added
        ("kellerpartner-billing.example", "kellerpartner.example"), ("secure-kellerpartner.test", "kellerpartner.example"),
        ("kellerpartnerpayments.test", "kellerpartner.example"), ("novak-stavby-faktury.cz", "novak-stavby.cz"),
        ("hr-kellerpartner.test", "kellerpartner.example"), ("millerhardware-invoices.test", "millerhardware.co.uk"),
    ],
)  # fmt: skip
def test_a_domain_that_passes_for_a_known_one(domain: str, known: str) -> None:
    assert imitated(domain, KNOWN) == known


@pytest.mark.parametrize(
    "domain",
    [
        "kellerpartner.example", "mail.kellerpartner.example", "partner.org", "gmail.com", "outlook.com", "email.cz", "",
        "localhost", "keller.example", "novak.cz", "novak-reality.cz", "ourpartner.org", "partners-club.example", "bank.test",
        "bankers.example", "millersoftware.co.uk", "gmx.com", "fmail.com", "xn--\x00.com", "kellerpartnership-school.test",
    ],
)  # fmt: skip
def test_a_domain_of_its_own(domain: str) -> None:
    assert imitated(domain, KNOWN) == ""


@pytest.mark.parametrize(
    "domain",
    [
        "paypa1.com", "раypal.com", "paypal.org", "paypal-secure.net", "secure-paypal.example", "paypal.com.login.example",
        "micros0ft.com", "rnicrosoft.com", "xn--pypal-4ve.com", "arnazon.com", "amazonsupport.example", "netflix-billing.com",
        "faceboook.com", "g00gle.com", "dhl.com.parcel.example", "unicreditbamk.cz",
    ],
)  # fmt: skip
def test_a_domain_that_passes_for_a_brand(domain: str) -> None:
    assert imitated_brand(domain)


@pytest.mark.parametrize(
    "domain",
    ["finance.example", "telecom.example", "apple-valley.example", "paypal.com", "mail.paypal.com", "amazon.co.uk",
     "amazon.it", "microsoftonline.com", "accounts.google.com", "apples.example",
     "chaser.example", "visage.example", "stripes.example", "gmail.com", "work.example", ""],
)  # fmt: skip
def test_brands_themselves_and_other_words(domain: str) -> None:
    assert imitated_brand(domain) == ""


def test_the_owners_domain_with_any_word_added() -> None:
    assert imitated_owner("potter-people.test", OWNER) == imitated_owner("p0tter.example", OWNER) == "potter.example"
    assert imitated_owner("potter.example", OWNER) == imitated_owner("mail.potter.example", OWNER) == ""


@pytest.mark.parametrize(
    ("name", "email", "shown"),
    [
        ("boss@firm.example", "x@evil.test", "firm.example"),
        ("Ann Potter <ann@firm.example>", "x@evil.test", "firm.example"),
        ("www.bank.com", "x@evil.test", "bank.com"),
        ("bo\u00adss@firm.example", "x@evil.test", "firm.example"),
        ("boss@firm.example", "boss@mail.firm.example", ""),
        ("Ann Potter", "x@evil.test", ""),
        ("St. Mary's, Inc.", "x@evil.test", ""),
    ],
)
def test_a_name_that_shows_another_address(name: str, email: str, shown: str) -> None:
    assert shown_domain(Address(email, name)) == shown


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


def test_parts_of_names() -> None:
    assert skeleton("paypa1") == skeleton("pаypal") == skeleton("paypal")
    assert skeleton("rnoneta") == skeleton("moneta")
    assert site("mail.a.co.uk") == "a.co.uk"
    assert brands_in("Your PayPal and Česká pošta bill, amazon.de, myups") == ["paypal", "ceska posta"]
    assert free_mail("gmail.com")
    assert not free_mail("work.example")
