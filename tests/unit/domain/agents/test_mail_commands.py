"""Which lines are commands that need no model, and the searches they become."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.agents.mail_commands import NEWSLETTERS, MailDeed, mail_command
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
