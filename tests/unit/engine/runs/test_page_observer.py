"""Pages of sync that answer a pending review close it; deleted mail is forgotten."""

from collections.abc import Sequence

import pytest

from app.domain.drafting.review import ReviewStatus
from app.domain.ids import AccountId, MessageId
from app.domain.protocol.events import ReviewDecided
from app.engine.runs.page_observer import PageObserver
from app.store.mail.sync_page import SyncPage
from fakes.engine.engine_parts import Parts
from fakes.engine.store.values import ME, proposal, remote

pytestmark = pytest.mark.anyio


async def watch(parts: Parts, page: SyncPage) -> tuple[int, list[MessageId]]:
    """Apply and watch a page: how often runs were woken, and what was forgotten."""
    woken: list[int] = []
    forgotten: list[MessageId] = []

    async def forget(account_id: AccountId, ids: Sequence[MessageId]) -> None:
        forgotten.extend(ids)

    watcher = PageObserver(parts.tables, parts.threads, parts.announcer, lambda: woken.append(1))
    watcher.forget = forget
    watcher(parts.account_id, page, parts.tables.messages.apply(parts.account_id, page))
    await watcher.close()
    return len(woken), forgotten


async def test_an_answer_from_elsewhere_closes_what_waits(parts: Parts) -> None:
    (mail,) = parts.mail(remote("a", "t"))
    review = parts.tables.reviews.open(proposal(thread=mail.thread_id, message=mail.id), "reply")
    answer = remote("mine", "t", sender=ME, labels=("SENT",), minutes=30)
    assert (await watch(parts, SyncPage(messages=(answer,))))[0] == 1
    assert parts.tables.reviews.review(review).status is ReviewStatus.SUPERSEDED
    assert [one.review_id for one in parts.events(ReviewDecided)] == [review]


@pytest.mark.parametrize("labels", [("DRAFT", "SENT"), ("INBOX",)])
async def test_drafts_and_other_mail_close_nothing(parts: Parts, labels: tuple[str, ...]) -> None:
    (mail,) = parts.mail(remote("a", "t"))
    review = parts.tables.reviews.open(proposal(thread=mail.thread_id, message=mail.id), "reply")
    await watch(parts, SyncPage(messages=(remote("b", "t", labels=labels, minutes=30),)))
    assert parts.tables.reviews.review(review).status is ReviewStatus.PENDING


async def test_an_older_answer_that_is_only_now_mirrored_closes_nothing(parts: Parts) -> None:
    (mail,) = parts.mail(remote("a", "t"))
    review = parts.tables.reviews.open(proposal(thread=mail.thread_id, message=mail.id), "reply")
    await watch(parts, SyncPage(messages=(remote("old", "t", sender=ME, labels=("SENT",), minutes=-30),)))
    assert parts.tables.reviews.review(review).status is ReviewStatus.PENDING


async def test_deleted_mail_is_forgotten(parts: Parts) -> None:
    (mail,) = parts.mail(remote("a"))
    assert (await watch(parts, SyncPage(delete=(mail.gmail_id,))))[1] == [mail.id]
