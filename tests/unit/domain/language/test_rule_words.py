"""Rules in one sentence, in three languages."""

import pytest

from app.domain.agents.routing import HeaderPattern, RuleAction, RuleMatch
from app.domain.agents.runs import Route
from app.domain.language.rule_words import rule_of

ARCHIVE, READ, STAR, SPAM = RuleAction.ARCHIVE, RuleAction.MARK_READ, RuleAction.STAR, RuleAction.SPAM
BULK = HeaderPattern("List-Unsubscribe", ".")


@pytest.mark.parametrize(
    ("sentence", "match", "actions", "label"),
    [
        (
            "archive newsletters from shop.com and mark them read",
            RuleMatch(sender_domain="shop.com", header_match=(BULK,)),
            (ARCHIVE, READ),
            "",
        ),
        ("Star everything from Ana@Example.org.", RuleMatch(sender_email="ana@example.org"), (STAR,), ""),
        ("label mail about invoices as Accounting", RuleMatch(subject_contains="invoices"), (), "Accounting"),
        ('label "Accounts 2026" emails from billing@shop.com', RuleMatch(sender_email="billing@shop.com"), (), "Accounts 2026"),
        ("block anna-b@spam.test", RuleMatch(sender_email="anna-b@spam.test"), (SPAM,), ""),
        ("archive mail from John Doe", RuleMatch(header_match=(HeaderPattern("From", r"(?i)John\ Doe"),)), (ARCHIVE,), ""),
        (
            "archivuj newslettery od shop.cz a označ je jako přečtené",
            RuleMatch(sender_domain="shop.cz", header_match=(BULK,)),
            (ARCHIVE, READ),
            "",
        ),
        (
            'poště od Jana Nováková přidej štítek "Účty"',
            RuleMatch(header_match=(HeaderPattern("From", r"(?i)Jana\ Nováková"),)),
            (),
            "Účty",
        ),
        ("zprávy od jana@example.cz do spamu", RuleMatch(sender_email="jana@example.cz"), (SPAM,), ""),
        (
            "Newsletter von laden.de archivieren und als gelesen markieren",
            RuleMatch(sender_domain="laden.de", header_match=(BULK,)),
            (ARCHIVE, READ),
            "",
        ),
        ("mark all emails as read", RuleMatch(all=True), (READ,), ""),
    ],
)
def test_a_sentence_becomes_a_rule(sentence: str, match: RuleMatch, actions: tuple[RuleAction, ...], label: str) -> None:
    rule = rule_of(sentence)
    assert rule is not None
    assert rule.match == match
    assert (rule.actions, rule.label) == (actions, label)


@pytest.mark.parametrize("sentence", ["", "hello there", "archive", "mail from ana@example.org"])
def test_half_a_sentence_is_no_rule(sentence: str) -> None:
    assert rule_of(sentence) is None


@pytest.mark.parametrize(
    "sentence",
    ["never draft for shop.com", "neodpovídej na poštu od shop.com", "keine Antwort an shop.com entwerfen"],
)
def test_nothing_is_drafted(sentence: str) -> None:
    rule = rule_of(sentence)
    assert rule is not None
    assert (rule.match.sender_domain, rule.route, rule.actions) == ("shop.com", Route.SORT, ())
