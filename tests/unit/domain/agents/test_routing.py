"""Rules at work: each condition, every pair of conditions, order, the signals of a forwarded mail, and what never matches.

What a rule is: no condition is empty, and rules are plain values that cross the wire.
"""

import re
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.agents.routing import Finds, HeaderPattern, Routed, RoutingRule, RuleMatch, RuleSet
from app.domain.agents.runs import Route
from app.domain.mail.message import Address, RemoteMessage
from fakes.gmail.messages import remote_message


def mail(**changes: Any) -> RemoteMessage:
    return remote_message(
        "m", to=(Address("me@example.com"),), **{"sender": Address("ann@partner.org"), "subject": "Order No. 7", **changes}
    )


def compiled(pattern: str) -> Finds:
    if pattern == "slow":
        return lambda text: None
    ready = re.compile(pattern, re.IGNORECASE)
    return lambda text: ready.search(text) is not None


def rules(*matches: RuleMatch) -> RuleSet:
    return RuleSet([RoutingRule(str(at), match, Route.AGENT, "p") for at, match in enumerate(matches)], compiled)


def holds(match: RuleMatch, message: RemoteMessage) -> bool:
    return rules(match).route(message).rule == "0"


SHOP = RuleMatch(header_match=(HeaderPattern("X-Shop", r"^a\d$"), HeaderPattern("List-Id", "orders")))


@pytest.mark.parametrize(
    ("match", "message", "wanted"),
    [
        (RuleMatch(), mail(), False),
        (RuleMatch(all=True), mail(), True),
        (RuleMatch(sender_email="Ann@Partner.org"), mail(), True),
        (RuleMatch(sender_email="ann@partner.org"), mail(sender=Address("ANN@partner.org")), True),
        (RuleMatch(sender_email="ann@partner.or"), mail(), False),
        (RuleMatch(sender_email="nn@partner.org"), mail(), False),
        (RuleMatch(sender_domain="partner.org"), mail(), True),
        (RuleMatch(sender_domain="PARTNER.ORG"), mail(), True),
        (RuleMatch(sender_domain="org"), mail(), False),
        (RuleMatch(sender_domain="partner.org"), mail(sender=Address("a@sub.partner.org")), False),
        (RuleMatch(sender_domain="partner.org"), mail(sender=Address("a@notpartner.org")), False),
        (RuleMatch(sender_domain="partner.org"), mail(sender=Address("partner.org")), False),
        (RuleMatch(subject_contains="order no"), mail(), True),
        (RuleMatch(subject_contains="STRASSE"), mail(subject="Neue Straße"), True),
        (RuleMatch(subject_contains="objednávka"), mail(subject="OBJEDNÁVKA 7"), True),
        (RuleMatch(subject_contains="invoice"), mail(), False),
        (RuleMatch(subject_contains="order"), mail(subject=""), False),
        (SHOP, mail(headers=(("x-shop", "a7"), ("List-ID", "<orders.example>"))), True),
        (SHOP, mail(headers=(("x-shop", "a7"),)), False),
        (SHOP, mail(headers=(("X-Shop", "no"), ("X-Shop", "a1"), ("List-Id", "ORDERS"))), True),
        (SHOP, mail(headers=(("X-Shop", "a77"), ("List-Id", "orders"))), False),
        (RuleMatch(all=True, subject_contains="invoice"), mail(), False),
    ],
)
def test_each_condition(match: RuleMatch, message: RemoteMessage, wanted: bool) -> None:
    assert holds(match, message) is wanted


HOLDING = {
    "all": True,
    "sender_email": "ann@partner.org",
    "sender_domain": "partner.org",
    "subject_contains": "order",
    "header_match": (HeaderPattern("X-A", "yes"),),
    "forwarded_from": "info@shop.cz",
}
FAILING = {
    "sender_email": "bob@partner.org",
    "sender_domain": "other.org",
    "subject_contains": "invoice",
    "header_match": (HeaderPattern("X-A", "no"),),
    "forwarded_from": "other@shop.cz",
}
FULL = mail(headers=(("X-A", "yes"),), body_text="From: info@shop.cz")


@pytest.mark.parametrize("count", range(1, len(HOLDING) + 1))
def test_all_given_conditions_must_hold(count: int) -> None:
    for names in combinations(HOLDING, count):
        given_ = {name: HOLDING[name] for name in names}
        assert holds(RuleMatch(**given_), FULL), names  # type: ignore[arg-type]
        for spoiled in set(names) & FAILING.keys():
            assert not holds(RuleMatch(**{**given_, spoiled: FAILING[spoiled]}), FULL), (names, spoiled)  # type: ignore[arg-type]


INFO = "info@shop.cz"


@pytest.mark.parametrize(
    ("message", "signal"),
    [
        (mail(headers=(("X-Forwarded-From", "Shop <INFO@shop.cz>"),)), "header"),
        (mail(headers=(("X-Forwarded-From", "x@y.cz"), ("x-forwarded-from", INFO))), "header"),
        (mail(reply_to=(Address("x@y.cz"), Address(INFO))), "reply_to"),
        (mail(sender=Address(INFO)), "sender"),
        (mail(body_text="From: Shop <info@shop.cz>\nHello"), "body"),
        (mail(body_text="Write to info@shop.cz."), "body"),
        (mail(headers=(("X-Forwarded-From", INFO),), reply_to=(Address(INFO),), body_text=INFO), "header"),
        (mail(), ""),
        (mail(body_text="info@shop.cz.evil.com"), ""),
        (mail(body_text="xinfo@shop.cz"), ""),
        (mail(headers=(("X-Forwarded-From", "info@shop.czx"),)), ""),
        (mail(headers=(("X-Forwarded", INFO), ("X-Forwarded-To", INFO))), ""),
        (mail(reply_to=(Address("info@shop.cz.evil.com"),)), ""),
        (mail(sender=Address("shop@info.cz")), ""),
        (mail(subject=INFO), ""),
    ],
)
def test_forwarded_from_has_four_signals(message: RemoteMessage, signal: str) -> None:
    routed = rules(RuleMatch(forwarded_from="Info@shop.cz")).route(message)
    assert routed.because == ((f"forwarded_from:{signal}",) if signal else ())


def test_first_match_wins_whatever_shelf_it_stands_on() -> None:
    every = [RuleMatch(**{name: value}) for name, value in HOLDING.items()]  # type: ignore[arg-type]
    for start in range(len(every)):
        order = every[start:] + every[:start]
        assert rules(*order).route(FULL).rule == "0"
    assert rules(RuleMatch(), RuleMatch(sender_email="no@no.no"), RuleMatch(all=True)).route(FULL).rule == "2"


def test_no_match_is_the_pipeline() -> None:
    assert rules(RuleMatch(sender_email="x@y.cz"), RuleMatch()).route(mail()) == Routed(Route.PIPELINE)
    assert RuleSet((), compiled).route(mail()) == Routed(Route.PIPELINE)


def test_a_pattern_over_its_time_is_no_match_and_is_told() -> None:
    slow = RuleMatch(header_match=(HeaderPattern("X-A", "slow"),))
    found = rules(slow, RuleMatch(subject_contains="order")).route(mail(headers=(("X-A", "1"), ("X-A", "2"))))
    assert (found.rule, found.slow) == ("1", ("0/x-a",))
    assert rules(slow).route(mail(headers=(("X-A", "1"),))) == Routed(Route.PIPELINE, slow=("0/x-a",))
    assert rules(slow).route(mail()).slow == ()


ADDRESSES = st.sampled_from(["ann@partner.org", "bob@partner.org", INFO, "x@y.cz"])
MATCHES = st.builds(
    RuleMatch,
    all=st.booleans(),
    sender_email=st.one_of(st.just(""), ADDRESSES),
    sender_domain=st.sampled_from(["", "partner.org", "shop.cz"]),
    subject_contains=st.sampled_from(["", "order", "no"]),
    header_match=st.sampled_from([(), (HeaderPattern("X-A", "yes"),)]),
    forwarded_from=st.one_of(st.just(""), ADDRESSES),
)
MAILS = st.builds(
    mail,
    sender=ADDRESSES.map(Address),
    subject=st.sampled_from(["Order", "Nothing", ""]),
    headers=st.sampled_from([(), (("X-A", "yes"),), (("x-a", "no"),), (("X-Forwarded-From", INFO),)]),
    reply_to=st.lists(ADDRESSES.map(Address), max_size=1).map(tuple),
    body_text=st.sampled_from(["", INFO, "see x@y.cz"]),
)


def plainly(match: RuleMatch, one: RemoteMessage) -> bool:
    """The conditions said once more."""
    verdicts = [True] if match.all else []
    if match.sender_email:
        verdicts.append(one.sender.email == match.sender_email)
    if match.sender_domain:
        verdicts.append(one.sender.email.split("@")[1] == match.sender_domain)
    if match.subject_contains:
        verdicts.append(match.subject_contains in one.subject.lower())
    if match.header_match:
        verdicts.append(any(name.lower() == "x-a" and value == "yes" for name, value in one.headers))
    if match.forwarded_from:
        places = (one.header("X-Forwarded-From"), one.body_text, one.sender.email, *(each.email for each in one.reply_to))
        verdicts.append(any(match.forwarded_from in place for place in places))
    return bool(verdicts) and all(verdicts)


@given(st.lists(MATCHES, max_size=12), MAILS)
def test_the_first_rule_whose_conditions_hold_applies(matches: Sequence[RuleMatch], one: RemoteMessage) -> None:
    fits = [str(at) for at, match in enumerate(matches) if plainly(match, one)]
    assert rules(*matches).route(one).rule == (fits[0] if fits else "")
