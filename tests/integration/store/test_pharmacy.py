"""The catalogue forgives accents and typing errors, never numbers, and knows what is free on which shelf."""

from datetime import timedelta

import pytest

from app.domain.errors import NotAllowed, NotFound
from app.domain.ids import AccountId, RunId
from app.domain.pharmacy import Drug, Patient, Pharmacy, ReservationRequest
from app.store.db.database import Database
from app.store.pharmacy import DrugTable, ReservationTable, StockLine
from fakes.engine.store.values import HandClock

PARALEN = Drug("0254045", "PARALEN", "500MG", "TBL NOB", "24", "paracetamol", "N02BE01")
STRONG = Drug("0254046", "PARALEN", "650MG", "TBL NOB", "24", "paracetamol", "N02BE01")
CREAM = Drug("0002668", "HYDROCORTISON LÉČIVA", "10MG/G", "UNG", "1X10G", "hydrokortison", "D07AA02", True, 89.0)
ANGEL = Pharmacy("P1", "Lékárna U Anděla")


@pytest.fixture
def drugs(db: Database, clock: HandClock) -> DrugTable:
    table = DrugTable(db, clock)
    table.replace((PARALEN, STRONG, CREAM), (ANGEL,), (StockLine(PARALEN.code, "P1", 3), StockLine(CREAM.code, "P2", 1)))
    return table


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("paralen 500", PARALEN),
        ("Paralen 650mg", STRONG),
        ("PARALNE 500", PARALEN),
        ("paracetamol 500 mg", PARALEN),
        ("hydrokortison leciva", CREAM),
        ("Hydrocortizon Léčíva", CREAM),
        ("0254045", PARALEN),
    ],
)
def test_accents_and_typing_errors_are_forgiven(drugs: DrugTable, query: str, first: Drug) -> None:
    assert drugs.search(query, 5)[0].drug == first


def test_what_is_in_stock_comes_first_among_equals(db: Database, clock: HandClock) -> None:
    table = DrugTable(db, clock)
    table.replace((PARALEN, Drug("0000001", "PARALEN", "500MG", "TBL NOB", "12")), (ANGEL,), (StockLine(PARALEN.code, "P1", 1),))
    assert [one.drug.code for one in table.search("paralen 500", 5)] == [PARALEN.code, "0000001"]


def test_one_drug_is_meant_or_nobody_guesses(drugs: DrugTable) -> None:
    assert drugs.named("0254046").drug == STRONG
    assert drugs.named(" Paralen 500MG tbl nob 24").drug == PARALEN
    assert drugs.named("hydrocortison").drug == CREAM
    with pytest.raises(NotAllowed, match=r"0254045.*0254046"):
        drugs.named("paralen")
    for name in ("ibuprofen", "", "paralen 400"):
        with pytest.raises(NotFound):
            drugs.named(name)


def test_reserved_packs_are_not_free_until_the_reservation_runs_out(drugs: DrugTable, db: Database, clock: HandClock) -> None:
    wish = ReservationRequest(PARALEN.code, "P1", 2, Patient("Jana", "jana@x.org"), AccountId(1), RunId("r"), "r:c")
    ReservationTable(db, clock).create(wish)
    (shelf,) = drugs.named(PARALEN.code).shelves
    assert (shelf.stock, shelf.free) == (3, 1)
    clock.now += timedelta(days=2, seconds=1)
    (shelf,) = drugs.named(PARALEN.code).shelves
    assert shelf.free == 3


def test_a_new_catalogue_keeps_what_reservations_name(drugs: DrugTable) -> None:
    dearer = Drug(PARALEN.code, "PARALEN", "500MG", "TBL NOB", "24", "paracetamol", "N02BE01", price_czk=45.0)
    assert drugs.replace((dearer,)) == 1
    assert drugs.named(PARALEN.code).drug.price_czk == 45.0
    assert drugs.count() == 3
    assert [one.pharmacy.name for one in drugs.named(CREAM.code).shelves] == ["P2"]


def test_stock_of_an_unknown_drug_takes_nothing_in(drugs: DrugTable) -> None:
    with pytest.raises(NotAllowed, match="0000009"):
        drugs.replace((Drug("0000008", "NEW"),), (), (StockLine("0000009", "P1", 1),))
    assert drugs.count() == 3
