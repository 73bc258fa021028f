"""Signs of deception in received mail: which count alone, which only together, and what harmless mail has too."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from app.domain.ids import AccountId, GmailId, GmailThreadId, MessageId, ThreadId
from app.domain.mail.deception import SignKind, asks_new_account, deception_signs, false_links, poses_as
from app.domain.mail.message import Address, Message
from app.domain.mail.triage import Reason, ReasonClause, ReasonCode, encode_reason

ANA = Address("ana@partner.example", "Ana Novák")
FAKE = Address("ana@elsewhere.test", "Ana Novák")
PLAIN = Message(
    MessageId(1), AccountId(1), ThreadId(1), GmailId("g"), GmailThreadId("t"), datetime(2026, 3, 1, tzinfo=UTC), ANA, (), (), (),
    (), "Invoice", "", "Here is the invoice.", "", "", "", (), (), frozenset(), (),
)  # fmt: skip
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


def test_names_of_others() -> None:
    assert poses_as(FAKE, (ANA, FAKE)) == ANA.email
    assert poses_as(FAKE, (FAKE, ANA)) == "", "most written to"
    assert poses_as(Address("x@y.test", ""), (ANA,)) == ""


def test_a_domain_or_name_that_passes_for_another_is_enough() -> None:
    to_bank = replace(PLAIN, to=(Address("me@bigbank.example"),))
    assert kinds(replace(to_bank, sender=Address("boss@blgbank.example")), known=()) == [SignKind.LOOK_ALIKE]
    assert kinds(replace(PLAIN, sender=Address("x@evil.test", "boss@firm.example")), known=()) == [SignKind.LOOK_ALIKE]
    assert kinds(replace(PLAIN, sender=Address("a@partner-invoices.example", "Ana"))) == [SignKind.LOOK_ALIKE]
    assert kinds(replace(to_bank, sender=Address("boss@mail.bigbank.example")), known=()) == []
