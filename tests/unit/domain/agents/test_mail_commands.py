"""Which lines are commands that need no model, and the searches they become."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.agents.mail_commands import NEWSLETTERS, MailDeed, mail_command, rule_of
from app.domain.agents.routing import HeaderPattern, RuleAction, RuleMatch
from app.store.search.query_parser import parse_query


@pytest.mark.parametrize(
    ("line", "deed", "query"),
    [
        ("unread from Ann", MailDeed.SHOW, "is:unread from:Ann"),
        ("Show me all unread mail from Ann Lee about the offer", MailDeed.SHOW, 'is:unread from:"Ann Lee" subject:"the offer"'),
        ("archive newsletters older than 30 days", MailDeed.ARCHIVE, f"{NEWSLETTERS} older_than:30d in:inbox"),
        ("Archive all mail from shop@x.example in my inbox.", MailDeed.ARCHIVE, "from:shop@x.example in:inbox"),
        ("mark newsletters as read", MailDeed.READ, NEWSLETTERS),
        ("mark all mail from Bob older than 2 weeks as read", MailDeed.READ, "from:Bob older_than:14d"),
        ("delete promotions older than 1 year", MailDeed.TRASH, f"{NEWSLETTERS} older_than:1y"),
        ("star unread with attachments", MailDeed.STAR, "is:unread has:attachment"),
        ("mail from Ann since 2026-01-31", MailDeed.SHOW, "from:Ann after:2026/01/31"),
        ("Nepřečtené od Anny", MailDeed.SHOW, "is:unread from:Anny"),
        ("archivuj newslettery starší než 30 dní", MailDeed.ARCHIVE, f"{NEWSLETTERS} older_than:30d in:inbox"),
    ],
)
def test_a_line_that_is_understood_whole_is_a_command(line: str, deed: MailDeed, query: str) -> None:
    found = mail_command(line)
    assert found is not None
    assert (found.deed, found.query) == (deed, query)
    parse_query(found.query)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "archive",
        "show all mail",
        "archive everything Ann would find boring",
        "find out when the order ships",
        "unread from Ann and answer them",
        "sum up unread mail",
        "archive newsletters and send me a report",
    ],
)
def test_anything_else_is_a_request(line: str) -> None:
    assert mail_command(line) is None


@given(st.text(max_size=120))
def test_any_text_is_a_command_or_none(text: str) -> None:
    found = mail_command(text)
    assert found is None or found.query


def people(name: str) -> str:
    """The only Ann; there are several Bobs."""
    return {"Ann": "Ann@partner.org", "Anny": "ann@partner.org"}.get(name, "")


ARCHIVED = (RuleAction.ARCHIVE,)
NEWS = (HeaderPattern("List-Unsubscribe", "."),)


@pytest.mark.parametrize(
    ("line", "match", "actions"),
    [
        ("archive newsletters older than 30 days", RuleMatch(header_match=NEWS), ARCHIVED),
        ("archivuj newslettery starší než 30 dní", RuleMatch(header_match=NEWS), ARCHIVED),
        ("unread from Ann", RuleMatch(sender_email="ann@partner.org"), ()),
        (
            "star mail from x.example about invoice",
            RuleMatch(sender_domain="x.example", subject_contains="invoice"),
            (RuleAction.STAR,),
        ),
        ("mark all from shop@x.example as read", RuleMatch(sender_email="shop@x.example"), (RuleAction.MARK_READ,)),
    ],
)
def test_a_command_becomes_the_rule_that_does_it_with_new_mail(
    line: str, match: RuleMatch, actions: tuple[RuleAction, ...]
) -> None:
    command = mail_command(line)
    assert command is not None
    rule = rule_of(command, people)
    assert rule is not None
    assert (rule.match, rule.actions) == (match, actions)


@pytest.mark.parametrize(
    "line",
    [
        "unread from Bob",  # several
        "delete newsletters",  # no rule deletes
        "archive mail from Ann with attachments",
        "archive mail from Ann before 2026-01-31",
        "archive mail older than 30 days",
        "show mail to Ann",
    ],
)
def test_a_command_that_no_rule_can_do_becomes_none(line: str) -> None:
    command = mail_command(line)
    assert command is not None
    assert rule_of(command, people) is None
