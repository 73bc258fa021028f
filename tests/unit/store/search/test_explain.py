"""Why a mail was found: the words, where they stand, and the facts."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.ids import AccountId
from app.domain.language.search_text import folded_with_places
from app.domain.mail.message import Address
from app.domain.protocol.queries import MatchPlace
from app.engine.runtime.tables import Tables, open_tables
from app.store.mail.sync_page import SyncPage
from app.store.search.explain import SearchedMail, explain
from app.store.search.query_parser import parse_query
from app.store.search.search import Search
from fakes.engine.store.values import ME, NOON, HandClock, remote


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    """A store with a few mails."""
    made = open_tables(tmp_path / "mail.db", HandClock())
    made.accounts.add(ME.email, ME.name, (ME.email,), "", "#112233")
    mails = (
        remote("a", "t1", text="Dobrý den, kdy dorazí OBJEDNÁVKA 4411?", subject="Dodávka"),
        remote("b", "t1", text="Odpověď", subject="Re: Dodávka", minutes=5),
        remote("c", "t2", text="Nothing here", subject="Offer", files=("Cena.pdf",), sender=Address("tom@cycles.example", "Tom")),
    )
    made.messages.apply(AccountId(1), SyncPage(messages=mails))
    yield made
    made.db.close()


def why(tables: Tables, text: str) -> list[list[tuple[MatchPlace, str]]]:
    """What of each found mail matched: the place, and the words at it."""
    search = Search(tables.db, tables.clock)
    found = search.find(text, 10).mails
    search.close()
    return [[(one.where, one.text[one.start : one.end] or one.text) for one in mail.why] for mail in found]


def test_words_are_shown_where_they_stand(tables: Tables) -> None:
    assert why(tables, "objednavka") == [[(MatchPlace.BODY, "OBJEDNÁVKA")]]
    assert why(tables, "dodavka") == [[(MatchPlace.SUBJECT, "Dodávka")]]
    assert why(tables, "from:tom offer") == [[(MatchPlace.SENDER, "Tom"), (MatchPlace.SUBJECT, "Offer")]]
    assert why(tables, "zebra") == []


def test_facts_are_named(tables: Tables) -> None:
    assert why(tables, "has:attachment") == [[(MatchPlace.FILE, "Cena.pdf")]]
    assert why(tables, "filename:cena") == [[(MatchPlace.FILE, "Cena")]]
    assert [one[0][0] for one in why(tables, "in:inbox")] == [MatchPlace.LABEL, MatchPlace.LABEL]
    assert why(tables, "offer -zebra newer_than:400d")[0][1][0] is MatchPlace.DATE


def test_long_texts_are_cut_around_the_match() -> None:
    (match,) = explain(parse_query("needle"), mail("word " * 300 + "needle\n\nin the hay " + "word " * 300))
    assert match.text[match.start : match.end] == "needle"
    assert match.text.startswith("…") and match.text.endswith("…") and len(match.text) < 160


@given(st.text(max_size=40))
def test_each_folded_letter_has_its_place(text: str) -> None:
    plain, places = folded_with_places(text)
    assert len(plain) == len(text if places is None else places)
    assert places is None or places == sorted(places)


@pytest.mark.parametrize(
    ("asked", "text", "shown"),
    [
        ("strasse", "in der Straße 7", "Straße"),
        ("lodz", "do Łodzi i Łódź", "Łódź"),
        ("email", "my e-mail here", "e-mail"),
        ("777123456", "call 777 123 456 now", "777 123 456"),
        ("机会", "许多机会叩门", "机会"),
        ("finance", "the ﬁnance team", "ﬁnance"),
    ],
)
def test_what_the_index_folds_is_shown_as_written(asked: str, text: str, shown: str) -> None:
    (match,) = explain(parse_query(asked), mail(text))
    assert match.text[match.start : match.end] == shown


def mail(text: str) -> SearchedMail:
    """A mail with only a text."""
    return SearchedMail("", ME, (), NOON, text, (), ())
