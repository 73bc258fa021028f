"""The mirror as sync sees it: what is here, what is told of each page, and which labels nobody has named yet."""

from collections.abc import Iterable

import pytest

from app.domain.ids import AccountId, GmailId
from app.domain.mail.message import Label
from app.domain.protocol.events import Initiator, MailChanged
from app.engine.sync.mirror import MailboxMirror, Watch
from app.store.mail.sync_page import Applied, SyncPage
from fakes.engine.engine_parts import Parts
from fakes.engine.store.values import remote
from fakes.engine.sync import row

pytestmark = pytest.mark.anyio

LISTED = tuple(Label(name, name, "system") for name in ("INBOX", "UNREAD"))


def unheard(_account: AccountId, _page: SyncPage, _applied: Applied) -> None:
    """Nobody watches."""


def mirror_of(parts: Parts, watch: Watch = unheard) -> MailboxMirror:
    """A mirror of the one account, as at a start."""
    return MailboxMirror(parts.account_id, parts.tables, parts.announcer, watch)


def added(gmail_id: str, labels: Iterable[str]) -> SyncPage:
    """A page with a change of labels."""
    return SyncPage(add_labels=((GmailId(gmail_id), frozenset(labels)),))


async def test_what_is_here_is_known_at_the_start_and_after_each_page(parts: Parts) -> None:
    mirror = mirror_of(parts)
    await mirror.apply(SyncPage(messages=(remote("a"), remote("b"), remote("c"))))
    await mirror.apply(SyncPage(messages=(remote("d"),), delete=(GmailId("a"), GmailId("d"))))
    assert mirror.have == {"b", "c"} == parts.tables.messages.have(parts.account_id)
    again = mirror_of(parts)
    await again.load()
    assert again.have == mirror.have


async def test_each_page_is_told_to_who_watches_and_its_threads_to_the_window(parts: Parts) -> None:
    watched: list[tuple[AccountId, SyncPage, Applied]] = []
    mirror = mirror_of(parts, lambda *told: watched.append(told))
    pages = [SyncPage(messages=(remote("a"), remote("b"))), SyncPage(to_fetch=(row("c"),)), SyncPage(delete=(GmailId("a"),))]
    applied = [await mirror.apply(page) for page in pages]
    assert watched == [(parts.account_id, page, one) for page, one in zip(pages, applied, strict=True)]
    (told,) = parts.events(MailChanged)
    assert (told.account_id, told.initiator) == (parts.account_id, Initiator.SYNC)
    assert set(told.thread_ids) == {*applied[0].thread_ids, *applied[2].thread_ids}
    assert len(told.thread_ids) == 2


async def test_each_label_that_nobody_named_asks_for_the_list_once(parts: Parts) -> None:
    mirror = mirror_of(parts)
    await mirror.apply(SyncPage(messages=(remote("a", labels=("INBOX", "Label_1")),)))
    assert not mirror.names_missing, "the list was not read yet, and will be"
    await mirror.apply(SyncPage(labels=LISTED))
    assert not mirror.names_missing
    for page in (SyncPage(messages=(remote("b", labels=("INBOX", "Label_2")),)), added("a", ("UNREAD", "Label_3"))):
        await mirror.apply(page)
        assert mirror.names_missing
        await mirror.apply(SyncPage(labels=LISTED))
        assert not mirror.names_missing
        await mirror.apply(page)
        assert not mirror.names_missing, "the list does not have it, and was asked"
    await mirror.apply(added("b", ("INBOX",)))
    assert not mirror.names_missing
