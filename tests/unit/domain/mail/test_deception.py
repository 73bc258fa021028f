"""Signs of deception in received mail: which count alone, which only together, and what harmless mail has too."""

import pytest

from app.domain.mail.deception import (
    SignKind,
    asks_new_account,
    deception_signs,
    false_links,
    imitated,
    imitated_brand,
    imitated_owner,
    looks_like_phishing,
    name_twin,
    of_brand,
    shown_domain,
)
from app.domain.mail.message import Address, Message
from app.domain.mail.triage import Reason, ReasonClause, ReasonCode, encode_reason
from app.domain.record import replace
from fakes.gmail.messages import OWNER, stored_message

ANA = Address("ana@partner.example", "Ana Novák")
FAKE = Address("ana@elsewhere.test", "Ana Novák")
PLAIN = stored_message(body="Here is the invoice.", sender=ANA, to=(), subject="Invoice")
LINK = '<p><a href="https://evil.test/login">https://www.bank.example/login</a></p>'


def kinds(message: Message, verdict: str = "", known: tuple[Address, ...] = (ANA,)) -> list[SignKind]:
    return [one.kind for one in deception_signs(message, verdict, known)]


def test_a_link_that_shows_another_site() -> None:
    (found,) = false_links(LINK)
    assert (found.shown, found.real) == ("www.bank.example", "evil.test")
    assert kinds(replace(PLAIN, body_html=LINK)) == [SignKind.FALSE_LINK]


@pytest.mark.parametrize(
    "html",
    [
        '<a href="https://mail.bank.example/x">www.bank.example</a>',
        '<a href="https://shop.bank.co.uk/x"><b>bank.co.uk</b></a>',
        '<a href="https://evil.test/x">See all offers</a>',
        '<a href="mailto:a@evil.test">bank.example</a>',
    ],
)
def test_links_that_show_their_site_or_none(html: str) -> None:
    assert false_links(html) == ()


def test_newsletters_count_clicks_elsewhere() -> None:
    news = replace(PLAIN, body_html=LINK, headers=(("List-Unsubscribe", "<https://l.example/u>"),))
    assert kinds(news) == []


def test_a_known_name_from_elsewhere_with_a_new_account() -> None:
    fraud = replace(PLAIN, sender=FAKE, body_text="Our bank account changed. Please pay invoice 88 to the new one.")
    assert kinds(fraud) == [SignKind.POSES_AS, SignKind.NEW_ACCOUNT]
    assert kinds(replace(fraud, sender=ANA)) == [], "from the person's own address"
    assert kinds(replace(PLAIN, sender=FAKE)) == [], "a second address is no crime"


@pytest.mark.parametrize("text", ["Naše bankovní spojení se změnilo.", "Please note our new IBAN below.", "updated bank details"])
def test_new_accounts_in_any_words(text: str) -> None:
    assert asks_new_account(replace(PLAIN, body_text=text))


def test_an_answer_that_goes_elsewhere_counts_only_with_another_sign() -> None:
    elsewhere = replace(PLAIN, reply_to=(Address("pay@evil.test"),))
    assert kinds(elsewhere) == []
    assert kinds(replace(elsewhere, body_text="Our bank details have changed.")) == [
        SignKind.ANSWERS_ELSEWHERE,
        SignKind.NEW_ACCOUNT,
    ]


def test_the_verdict_of_triage_is_enough() -> None:
    assert kinds(PLAIN, ReasonCode.PHISHING) == [SignKind.VERDICT]
    stored = encode_reason(Reason(ReasonCode.PHISHING), Reason(ReasonClause.LOOKS_LIKE, "paypal"))
    (found,) = deception_signs(PLAIN, stored, ())
    assert found.shown == stored
    assert kinds(PLAIN, encode_reason(Reason(ReasonClause.HASTE))) == []
    assert kinds(replace(PLAIN, labels=frozenset({"SENT"})), ReasonCode.PHISHING) == [], "the owner's own mail"


def test_a_domain_or_name_that_passes_for_another_is_enough() -> None:
    to_bank = replace(PLAIN, to=(Address("me@bigbank.example"),))
    assert kinds(replace(to_bank, sender=Address("boss@blgbank.example")), known=()) == [SignKind.LOOK_ALIKE]
    assert kinds(replace(PLAIN, sender=Address("x@evil.test", "boss@firm.example")), known=()) == [SignKind.LOOK_ALIKE]
    assert kinds(replace(PLAIN, sender=Address("a@partner-invoices.example", "Ana"))) == [SignKind.LOOK_ALIKE]
    assert kinds(replace(to_bank, sender=Address("boss@mail.bigbank.example")), known=()) == []


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


def test_a_brand_abroad_holds_its_name_where_not_anybody_buys_it() -> None:
    assert all(of_brand(one, "paypal") for one in ("paypal.com", "mail.paypal.de", "paypal.co.uk"))
    assert not any(of_brand(one, "paypal") for one in ("paypal.co", "paypal.io", "paypal.tk", "paypal.me", "mypaypal.de", ""))


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


def test_one_sign_alone_wants_care_and_two_or_the_verdict_look_like_phishing() -> None:
    def red(message: Message, verdict: str = "") -> bool:
        return looks_like_phishing(deception_signs(message, verdict, (ANA,)))

    doubt = encode_reason(Reason(ReasonCode.CAREFUL), Reason(ReasonClause.LOOKS_LIKE, "paypal"))
    assert kinds(PLAIN, doubt) == [SignKind.CAREFUL]
    assert not red(PLAIN, doubt)
    assert red(PLAIN, encode_reason(Reason(ReasonCode.PHISHING), Reason(ReasonClause.LOOKS_LIKE, "paypal")))
    assert not red(replace(PLAIN, body_html=LINK))
    assert red(replace(PLAIN, sender=FAKE, body_text="Our bank account changed. Please pay to the new one."))
