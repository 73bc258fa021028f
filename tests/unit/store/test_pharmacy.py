"""Drugs read from CSV files, and reservations."""

from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.domain.errors import NotAllowed, NotFound
from app.domain.ids import AccountId, RunId
from app.domain.pharmacy import (
    HOLD,
    Drug,
    Patient,
    Pharmacy,
    PharmacyStock,
    ReservationRequest,
    ReservationState,
    choose_shelf,
)
from app.store.db.database import Database
from app.store.pharmacy import DrugTable, ReservationTable, StockLine, read_catalogue
from fakes.engine.store.values import HandClock

SUKL = (
    "KOD_SUKL;H;NAZEV;SILA;FORMA;BALENI;CESTA;DOPLNEK;OBAL;DRZ;ZEMDRZ;ATC_WHO;VYDEJ\r\n"
    '0254045;;PARALEN;500MG;TBL NOB;24;POR;"500MG TBL NOB 24";BLI;ZNT;CZ;N02BE01;V\r\n'
    "2668;;HYDROCORTISON LÉČIVA;10MG/G;UNG;1X10G;DRM;10MG/G UNG 1X10G;TUB;ZNT;CZ;D07AA02;R\r\n"
)


def written(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.write_bytes(text.encode(encoding))
    return path


def test_the_authoritys_columns_and_code_page(tmp_path: Path) -> None:
    found = read_catalogue(written(tmp_path / "dlp.csv", SUKL, "cp1250"))
    paralen, cream = found.drugs
    assert paralen == Drug("0254045", "PARALEN", "500MG", "TBL NOB", "24", "500MG TBL NOB 24", "N02BE01", False)
    assert (cream.code, cream.name, cream.prescription) == ("0002668", "HYDROCORTISON LÉČIVA", True)
    assert (found.stock, found.pharmacies) == ((), ())


def test_our_columns_with_shelves(tmp_path: Path) -> None:
    text = 'code,name,price_czk,pharmacy_id,pharmacy,address,stock\n1,A,"12,50",P1,First,Here 1,3\n1,A,,P2,,,0\n2,B,,,,,\n\n'
    found = read_catalogue(written(tmp_path / "a.csv", text))
    assert [one.code for one in found.drugs] == ["0000001", "0000002"]
    assert found.stock == (StockLine("0000001", "P1", 3), StockLine("0000001", "P2", 0))
    assert found.pharmacies == (Pharmacy("P1", "First", "Here 1"), Pharmacy("P2", "P2"))


DRUG = Drug("0254045", "PARALEN", "500MG", "TBL NOB", "24")
JANA, PETR = Patient("Jana", "jana@x.org"), Patient("Petr", "petr@x.org")


@pytest.fixture
def table(db: Database, clock: HandClock) -> ReservationTable:
    DrugTable(db, clock).replace((DRUG,), (Pharmacy("P1", "U Anděla"),), (StockLine(DRUG.code, "P1", 4),))
    return ReservationTable(db, clock)


def wish(quantity: int = 1, patient: Patient = JANA, key: str = "r:c1", drug: str = DRUG.code) -> ReservationRequest:
    return ReservationRequest(drug, "P1", quantity, patient, AccountId(1), RunId("r"), key)


def test_a_reservation_holds_packs_for_two_days(table: ReservationTable, clock: HandClock) -> None:
    made = table.create(wish(2))
    assert (made.quantity, made.drug, made.pharmacy.name, made.patient) == (2, DRUG, "U Anděla", JANA)
    assert made.expires_at == clock.now + HOLD
    assert made.state(clock.now) is ReservationState.ACTIVE
    assert table.of(JANA) == table.of(JANA, DRUG.code) == (made,)
    assert table.of(PETR) == table.of(JANA, "0000000") == ()


def test_the_same_call_again_is_the_same_reservation(table: ReservationTable) -> None:
    first = table.create(wish(2))
    assert table.create(wish(2)) == first
    assert len(table.of(JANA)) == 1


def test_nobody_gets_more_than_there_is(table: ReservationTable) -> None:
    table.create(wish(3))
    with pytest.raises(NotAllowed, match="Only 1 packs are free at pharmacy P1"):
        table.create(wish(2, PETR, "r:c2"))
    with pytest.raises(NotAllowed, match="Only 1"):
        table.preview(wish(2, PETR, "r:c2"))
    table.create(wish(1, PETR, "r:c3"))


def test_an_expired_reservation_gives_its_packs_back_and_cannot_be_cancelled(table: ReservationTable, clock: HandClock) -> None:
    made = table.create(wish(4))
    clock.now += HOLD
    assert table.of(JANA) == ()
    assert table.create(wish(4, PETR, "r:c2")).quantity == 4
    with pytest.raises(NotAllowed, match=f"{made.number} is expired already"):
        table.cancel(JANA, made.number, "r:c3")


def test_cancelling_gives_the_packs_back_once(table: ReservationTable, clock: HandClock) -> None:
    made = table.create(wish(4))
    gone = table.cancel(JANA, made.number.lower(), "r:c2")
    assert gone.state(clock.now) is ReservationState.CANCELLED
    assert table.cancel(JANA, made.number, "r:c2") == gone
    with pytest.raises(NotAllowed, match="cancelled already"):
        table.cancel(JANA, made.number, "r:c3")
    assert table.create(wish(4, PETR, "r:c4")).quantity == 4


def test_another_persons_reservation_does_not_exist(table: ReservationTable) -> None:
    made = table.create(wish())
    with pytest.raises(NotFound, match=r"petr@x\.org has no reservation"):
        table.cancel(PETR, made.number, "r:c2")


def test_a_pharmacy_is_named_or_the_only_one() -> None:
    one, two = PharmacyStock(Pharmacy("P1", "A"), 5, 5), PharmacyStock(Pharmacy("P2", "B"), 5, 1)
    assert choose_shelf((one, two), "P2", 3) is two
    assert choose_shelf((one, two), "", 3) is one
    for shelves, named, words in (((one, two), "P3", "P1"), ((one, two), "", "Several"), ((two,), "", "No pharmacy has 2")):
        with pytest.raises(NotAllowed, match=words):
            choose_shelf(shelves, named, 1 if words == "Several" else 2)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(1, 5), st.booleans(), st.integers(0, 30)), max_size=6))
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_asked_for_the_shelf_never_goes_below_nothing(
    table: ReservationTable, db: Database, clock: HandClock, asked: list[tuple[int, int, bool, int]]
) -> None:
    for place, (person, quantity, cancels, hours) in enumerate(asked):
        patient = Patient("", f"p{person}@x.org")
        clock.now += timedelta(hours=hours)
        try:
            if cancels and (held := table.of(patient)):
                table.cancel(patient, held[0].number, f"{clock.now}:{place}:cancel")
            else:
                table.create(wish(quantity, patient, f"{clock.now}:{place}:{person}"))
        except NotAllowed:
            pass
        (shelf,) = DrugTable(db, clock).named(DRUG.code).shelves
        held_now = sum(one.quantity for who in range(4) for one in table.of(Patient("", f"p{who}@x.org")))
        assert shelf.free == 4 - held_now >= 0


def test_one_person_holds_one_reservation_of_a_drug(table: ReservationTable) -> None:
    made = table.create(wish())
    with pytest.raises(NotAllowed, match=made.number):
        table.create(wish(1, Patient("J.", "JANA@X.ORG"), "r:c2"))
