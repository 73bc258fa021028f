"""A new mail is found wherever it lies among the sent ones, and by no clock but with room for both."""

from dataclasses import replace
from datetime import timedelta
from typing import cast

import pytest

from app.domain.errors import NotFound
from app.domain.ids import GmailDraftId, GmailId, GmailThreadId
from app.domain.ports.gmail import MailServer, ThreadMessage
from app.domain.sync import Listed, ListPage
from app.engine.outbox.mail_sender import MOST_PAGES, RECENT_SENT, delete_others, find_sent, own_drafts
from fakes.gmail.gmail_port import ITEM, NOW, SmallGmail

pytestmark = pytest.mark.anyio
NEW = replace(ITEM, gmail_thread_id=GmailThreadId(""))


class Pages(SmallGmail):
    """Sent mail over pages: `recent` are the newest, `since` what a search by time gives page by page. Ours is in thread `t9`."""

    def __init__(self, recent: list[str], since: list[list[str]]) -> None:
        super().__init__()
        self.recent = recent
        self.since = since
        self.asked: list[int] = []
        self.deliver(ITEM.marker)

    async def list_messages(
        self, query: str = "", label_ids: tuple[str, ...] = (), page_token: str = "", include_spam_trash: bool = False
    ) -> ListPage:
        assert include_spam_trash, "the owner may have thrown the sent mail away"
        threads, token = self.recent, "more"
        if query:
            self.asked.append(int(query.removeprefix("after:")))
            at = int(page_token or 0)
            threads, token = self.since[at], str(at + 1) if at + 1 < len(self.since) else ""
        return ListPage(tuple(Listed(GmailId(one), GmailThreadId(one)) for one in threads), token, 0)

    async def thread_state(self, gmail_thread_id: str) -> tuple[ThreadMessage, ...]:
        if gmail_thread_id == "gone":
            raise NotFound
        return tuple(self.thread) if gmail_thread_id == "t9" else ()


@pytest.mark.parametrize(
    ("recent", "since"),
    [
        (["t9"], [[]]),
        (["a", "t9"], [["a"]]),
        (["a"], [["a", "gone", "t9"]]),
        (["a"] * 30, [["b"], ["c"], ["t9"]]),
    ],
    ids=["server's clock behind", "among the newest", "since the approval", "on a later page"],
)
async def test_a_new_mail_is_found_among_all_that_were_sent(recent: list[str], since: list[list[str]]) -> None:
    gmail = Pages(recent, since)
    assert await find_sent(cast(MailServer, gmail), NEW) == gmail.thread[-1].gmail_id
    assert all(one <= NOW.timestamp() - 12 * 3600 for one in gmail.asked), "clocks differ"


async def test_what_is_not_there_is_not_found_and_old_mail_is_not_gone_through() -> None:
    gmail = Pages([f"x{number}" for number in range(RECENT_SENT)] + ["t9"], [["b"]])
    assert await find_sent(cast(MailServer, gmail), NEW) == ""


async def test_drafts_beside_the_one_that_stays_go() -> None:
    gmail = SmallGmail(drafts={"d1": ITEM.marker, "d2": ITEM.marker, "d3": "<other@x>"})
    server = cast(MailServer, gmail)
    assert await delete_others(server, await own_drafts(server, ITEM), GmailDraftId("d2")) == 1
    assert sorted(gmail.drafts) == ["d2", "d3"]
    assert await delete_others(server, await own_drafts(server, ITEM), GmailDraftId("")) == 1
    assert sorted(gmail.drafts) == ["d3"]


async def test_a_draft_that_somebody_changed_is_none_of_the_items() -> None:
    gmail = SmallGmail(drafts={"d1": ITEM.marker, "d2": ITEM.marker})
    found = await own_drafts(cast(MailServer, gmail), replace(ITEM, theirs=(GmailDraftId("d1"),)))
    assert [one.draft_id for one in found] == ["d2"]


async def test_an_answer_that_gmail_put_into_another_thread_is_found_there() -> None:
    """As it does where the user changed the subject."""
    gmail, answer = Pages(["a", "t9"], [["a"]]), replace(ITEM, gmail_thread_id=GmailThreadId("t1"))
    assert await find_sent(cast(MailServer, gmail), answer) == gmail.thread[-1].gmail_id


class Deaf(Pages):
    """Ignores what is asked for: every page of the whole of Sent, from a mailbox of old mail, and always one more page."""

    def __init__(self, threads: int, ours: int) -> None:
        super().__init__([], [])
        self.threads, self.ours, self.read, self.pages = threads, ours, 0, 0

    async def list_messages(
        self, query: str = "", label_ids: tuple[str, ...] = (), page_token: str = "", include_spam_trash: bool = False
    ) -> ListPage:
        self.pages += 1
        at = int(page_token or 0) % self.threads
        names = [f"x{one}" for one in range(at, min(at + 10, self.threads))]
        return ListPage(tuple(Listed(GmailId(one), GmailThreadId(one)) for one in names), str(int(page_token or 0) + 10), 0)

    async def thread_state(self, gmail_thread_id: str) -> tuple[ThreadMessage, ...]:
        self.read += 1
        number = int(gmail_thread_id.removeprefix("x"))
        if number == self.ours:
            return tuple(self.thread)
        days = -1 if number < self.ours else 400
        return (replace(self.thread[-1], date=NOW - timedelta(days=days), marker="", rfc822_id=f"<{number}@x>"),)


@pytest.mark.parametrize("ours", [3, 60, 130])
async def test_a_server_that_ignores_the_question_is_read_as_far_as_its_mail_is_new(ours: int) -> None:
    gmail = Deaf(1000, ours)
    assert await find_sent(cast(MailServer, gmail), NEW) == gmail.thread[-1].gmail_id


async def test_a_server_that_ignores_the_question_is_not_read_to_its_end() -> None:
    gmail = Deaf(1000, -1)
    assert await find_sent(cast(MailServer, gmail), NEW) == ""
    assert gmail.read <= 2 * RECENT_SENT + 10
    round_and_round = Deaf(20, -1)
    assert await find_sent(cast(MailServer, round_and_round), NEW) == ""
    assert round_and_round.pages <= MOST_PAGES + 1
