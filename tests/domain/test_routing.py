"""Routing rules: each condition, AND, order, and what never matches."""

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.ids import GmailId, GmailThreadId, HistoryId
from app.domain.mail import Address, RemoteMessage
from app.domain.routing import HeaderPattern, Match, Routed, Rule, forwarded_from, matches, route
from app.domain.runs import Route


def mail(**changes: Any) -> RemoteMessage:
    values: dict[str, Any] = {
        "gmail_id": GmailId("m"),
        "gmail_thread_id": GmailThreadId("t"),
        "history_id": HistoryId(1),
        "date": datetime(2026, 1, 1, tzinfo=UTC),
        "sender": Address("ann@partner.org"),
        "to": (Address("me@example.com"),),
        "cc": (),
        "bcc": (),
        "reply_to": (),
        "subject": "Order No. 7",
        "snippet": "",
        "body_text": "",
        "body_html": "",
        "rfc822_id": "",
        "in_reply_to": "",
        "references": (),
        "headers": (),
        "labels": frozenset(),
        "attachments": (),
        "size": 0,
        **changes,
    }
    return RemoteMessage(**values)


def header(name: str, pattern: str) -> HeaderPattern:
    return HeaderPattern(name, re.compile(pattern))


SHOP = Match(header_match=(header("X-Shop", r"^a\d$"), header("List-Id", "orders")))


@pytest.mark.parametrize(
    ("match", "message", "wanted"),
    [
        (Match(), mail(), False),
        (Match(all=True), mail(), True),
        (Match(sender_email="Ann@Partner.org"), mail(), True),
        (Match(sender_email="ann@partner.or"), mail(), False),
        (Match(sender_domain="partner.org"), mail(), True),
        (Match(sender_domain="org"), mail(), False),
        (Match(sender_domain="partner.org"), mail(sender=Address("a@sub.partner.org")), False),
        (Match(subject_contains="order no"), mail(), True),
        (Match(subject_contains="STRASSE"), mail(subject="Neue Straße"), True),
        (Match(subject_contains="invoice"), mail(), False),
        (SHOP, mail(headers=(("x-shop", "a7"), ("List-ID", "<orders.example>"))), True),
        (SHOP, mail(headers=(("x-shop", "a7"),)), False),
        (SHOP, mail(headers=(("X-Shop", "no"), ("X-Shop", "a1"), ("List-Id", "orders"))), True),
        (Match(sender_domain="partner.org", subject_contains="order"), mail(), True),
        (Match(sender_domain="partner.org", subject_contains="invoice"), mail(), False),
        (Match(all=True, subject_contains="invoice"), mail(), False),
    ],
)
def test_conditions(match: Match, message: RemoteMessage, wanted: bool) -> None:
    assert matches(message, match) is wanted


INFO = "info@shop.cz"


@pytest.mark.parametrize(
    ("message", "wanted"),
    [
        (mail(headers=(("X-Forwarded-From", "Shop <INFO@shop.cz>"),)), True),
        (mail(reply_to=(Address(INFO),)), True),
        (mail(body_text="From: Shop <info@shop.cz>\nHello"), True),
        (mail(body_text="Write to info@shop.cz."), True),
        (mail(sender=Address(INFO)), True),
        (mail(), False),
        (mail(body_text="info@shop.cz.evil.com"), False),
        (mail(body_text="xinfo@shop.cz"), False),
        (mail(body_text="info@shop.czx"), False),
        (mail(body_text="infoXshopYcz"), False),
    ],
)
def test_forwarded_from_has_four_signals(message: RemoteMessage, wanted: bool) -> None:
    assert forwarded_from(message, INFO) is wanted


def test_first_match_wins_and_no_match_is_the_pipeline() -> None:
    rules = (
        Rule("none", Match(), Route.AGENT, "x"),
        Rule("shop", Match(sender_domain="partner.org"), Route.AGENT, "shop"),
        Rule("all", Match(all=True), Route.RESPONSE_AGENT),
    )
    assert route(mail(), rules) == Routed(Route.AGENT, "shop", "shop")
    assert route(mail(sender=Address("a@b.c")), rules) == Routed(Route.RESPONSE_AGENT, "all", "")
    assert route(mail(), ()) == Routed(Route.PIPELINE, "", "")


@given(st.lists(st.booleans(), max_size=8))
def test_the_rule_found_is_the_first_that_matches(fits: list[bool]) -> None:
    rules = [
        Rule(str(at), Match(all=True) if fit else Match(sender_email="no@no.no"), Route.AGENT, "p") for at, fit in enumerate(fits)
    ]
    assert route(mail(), rules).rule == (str(fits.index(True)) if True in fits else "")
