"""Agents' search joins words and meaning, and stays out of spam, drafts and other accounts.

Search over the real index: answers, refusals, and a newer question that takes an older one's place.
"""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from app.domain.errors import NotAllowed
from app.domain.ids import GmailId
from app.domain.protocol.commands import SearchMail, ThreadIds
from app.domain.record import replace
from app.engine.runtime.tables import Tables, open_tables
from app.engine.search.mail_search import HybridSearch, TextSearch
from app.store.mail.sync_page import SyncPage
from app.store.search.corpus import ASKED
from app.store.search.vectors import VectorKind, Vectors
from fakes.engine.agent_mailbox import NOON, LetterEmbedder, Room, mail
from fakes.engine.engine_parts import Parts
from fakes.engine.store.values import remote


async def test_words_and_meaning_are_joined_and_closed_mail_stays_closed(tmp_path: Path) -> None:
    with Room(tmp_path) as room:
        invoice, walk, spam = room.put(
            mail("The invoice for March is attached.", key="a", thread="a"),
            mail("We walked in the hills all day.", key="b", thread="b"),
            mail("Invoice invoice invoice", key="c", thread="c", labels=frozenset({"SPAM"})),
        )
        tables: Tables = open_tables(tmp_path / "mail.db", room.clock)
        embedder = LetterEmbedder()
        vectors = Vectors.open(tmp_path / "chroma", embedder.model_id, embedder.dimension)
        every = (invoice, walk, spam)
        rows = [(one.id, embedder.embed([one.body_text])[0], VectorKind.OTHER) for one in every]
        vectors.upsert(room.account_id, rows)
        finder = HybridSearch(tables, embedder, vectors)
        try:
            assert (await finder.find(room.account_id, "invoice march", 1))[0].id == invoice.id
            assert (await finder.find(room.account_id, "hills from:nobody OR (", 5))[0].id == walk.id
            found = await finder.find(room.account_id, "invoice", 10)
            assert spam.id not in {one.id for one in found}
            assert await finder.find(room.account_id, "?!", 0) == ()
            assert [one.id for one in await finder.query(room.account_id, "from:ann invoice", 10)] == [invoice.id]
            assert [one.id for one in await finder.query(room.account_id, "x) OR in:spam OR (invoice", 10)] == [invoice.id]
            with pytest.raises(NotAllowed):
                await finder.query(room.account_id, "is:purple", 10)
            other = tables.accounts.add("other@example.com", "Other", (), "", "#222222")
            late = [
                mail("The invoice for April.", key=f"o{n}", thread=f"o{n}", at=NOON + timedelta(hours=1)) for n in range(ASKED)
            ]
            tables.messages.apply(other, SyncPage(messages=tuple(late)))
            begun = [replace(one, gmail_id=GmailId(f"d{one.gmail_id}"), labels=frozenset({"DRAFT"})) for one in late]
            tables.messages.apply(room.account_id, SyncPage(messages=tuple(begun)))
            vectors.delete(room.account_id, [one.id for one in every])
            assert [one.id for one in await finder.find(room.account_id, "invoice", 10)] == [invoice.id]
        finally:
            finder.close()
            vectors.close()
            tables.db.close()


@pytest.fixture
async def searching(parts: Parts) -> AsyncIterator[TextSearch]:
    searching = TextSearch(parts.tables)
    yield searching
    await searching.close()


async def test_a_newer_search_takes_the_place_of_an_older_one(parts: Parts, searching: TextSearch) -> None:
    parts.mail(*(remote(f"m{at}", text="word " * 50, minutes=at) for at in range(50)))
    asked = [asyncio.create_task(searching.answer(SearchMail("word", 10))) for _ in range(5)]
    outcomes = await asyncio.gather(*asked, return_exceptions=True)
    assert isinstance(outcomes[-1], ThreadIds)
    assert len(outcomes[-1].ids) == 10
    assert all(isinstance(one, ThreadIds | NotAllowed) for one in outcomes)
