"""The catalogue of drugs with stock, its import from CSV files, and reservations.

A search takes candidates from the trigram index, then scores how well each word fits. It tolerates accents, typing errors and
word order. Files have our columns or those of SUKL, the Czech drug authority, separated by semicolon or comma, in UTF-8 or
windows-1250. Stock, conflicts and expiry of reservations are checked in the transaction that writes. Free packs are computed, so
an expired reservation releases its packs by itself.
"""

import csv
import io
import secrets
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from rapidfuzz.fuzz import ratio

from app.domain.errors import BadFile, NotAllowed, NotFound
from app.domain.pharmacy import (
    HOLD,
    Drug,
    FoundDrug,
    Patient,
    Pharmacy,
    PharmacyStock,
    Reservation,
    ReservationContext,
    ReservationRequest,
    ReservationState,
    check_wish,
    fold,
)
from app.domain.record import Record, asdict
from app.store.db.codecs import id_list, storable
from app.store.db.database import Table
from app.store.db.records import record
from app.store.db.times import to_ms

CANDIDATES = 400
LIKE_ENOUGH = 0.7
"""The least score of the best word."""
FITTING = 0.55
"""The least score of all words together."""
MOST_TRIGRAMS = 60

_UPSERT = """INSERT INTO drugs (code, name, strength, form, package, substance, atc, prescription, price_czk, folded)
    VALUES (:code, :name, :strength, :form, :package, :substance, :atc, :prescription, :price_czk, :folded)
    ON CONFLICT (code) DO UPDATE SET name = excluded.name, strength = excluded.strength, form = excluded.form,
        package = excluded.package, substance = excluded.substance, atc = excluded.atc, prescription = excluded.prescription,
        price_czk = excluded.price_czk, folded = excluded.folded"""
_PHARMACY = (
    "INSERT INTO pharmacies VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name, address = excluded.address"
)
_STOCK = """INSERT INTO drug_stock (drug_id, pharmacy_id, quantity) SELECT id, ?, ? FROM drugs WHERE code = ?
    ON CONFLICT (drug_id, pharmacy_id) DO UPDATE SET quantity = excluded.quantity"""
_SHELVES = """SELECT s.drug_id, s.pharmacy_id, p.name, p.address, s.quantity, s.quantity - coalesce((SELECT sum(r.quantity)
        FROM reservations r WHERE r.drug_id = s.drug_id AND r.pharmacy_id = s.pharmacy_id AND r.cancelled_at IS NULL
        AND r.expires_at > :now), 0) AS free
    FROM drug_stock s JOIN pharmacies p ON p.id = s.pharmacy_id
    WHERE s.drug_id IN (SELECT value FROM json_each(:ids)) ORDER BY s.drug_id, s.pharmacy_id"""


class StockLine(NamedTuple):
    code: str
    pharmacy_id: str
    quantity: int


class DrugTable(Table):
    """The tables `drugs`, `pharmacies` and `drug_stock`."""

    def count(self) -> int:
        """How many drugs there are."""
        return int(self._db.read("SELECT count(*) FROM drugs")[0][0])

    def replace(self, drugs: Iterable[Drug], pharmacies: Iterable[Pharmacy] = (), stock: Iterable[StockLine] = ()) -> int:
        """Imports a catalogue in one transaction: updates drugs by code and replaces their stock. Returns the number of drugs.

        Drugs that are not in it stay, because reservations may refer to them. Raises `NotAllowed` for stock of an unknown drug.
        """
        rows = [asdict(one) | {"folded": one.folded} for one in drugs]
        with self._db.transaction() as connection:
            connection.executemany(_UPSERT, rows)
            connection.executemany(_PHARMACY, [(one.id, one.name, one.address) for one in pharmacies])
            for line in stock:
                known = connection.execute("SELECT 1 FROM pharmacies WHERE id = ?", (line.pharmacy_id,)).fetchone()
                if known is None:
                    connection.execute(_PHARMACY, (line.pharmacy_id, line.pharmacy_id, ""))
                if not connection.execute(_STOCK, (line.pharmacy_id, line.quantity, line.code)).rowcount:
                    raise NotAllowed(f"There is stock of drug {line.code}, which is not in the catalogue.")
            connection.execute("INSERT INTO drugs_fts (drugs_fts) VALUES ('rebuild')")
        return len(rows)

    def search(self, query: str, limit: int) -> tuple[FoundDrug, ...]:
        """The drugs whose names fit best; for equal scores those in stock come first."""
        tokens = fold(query).split()
        scored = ((fitness(tokens, row["folded"].split()), drug_of(row), row["id"]) for row in self._rows(fold(query)))
        hits = sorted((one for one in scored if one[0] >= FITTING), key=lambda one: (-one[0], one[1].label, one[1].code))
        shelves = self.shelves([key for _, _, key in hits[: limit * 4]])
        found = [FoundDrug(drug, round(score, 3), shelves.get(key, ())) for score, drug, key in hits[: limit * 4]]
        found.sort(key=lambda one: (-one.score, not any(shelf.free > 0 for shelf in one.shelves)))
        return tuple(found[:limit])

    def named(self, name: str) -> FoundDrug:
        """The drug with this code or full name. Raises `NotFound`, and `NotAllowed` if there are several."""
        words = set(fold(name).split())
        rows = [row for row in self._rows(" ".join(words)) if words <= set(row["folded"].split())] if words else []
        exact = [row for row in rows if row["code"] == name.strip() or fold(drug_of(row).label) == fold(name)] or rows
        if not exact:
            raise NotFound(f"There is no drug {name[:80]}. Search for it first.")
        if len(exact) > 1:
            labels = ", ".join(f"{drug_of(row).label} (code {row['code']})" for row in exact[:6])
            raise NotAllowed(f"Several drugs are called so; name one by its code: {labels}.")
        shelves = self.shelves([exact[0]["id"]])
        return FoundDrug(drug_of(exact[0]), 1.0, shelves.get(exact[0]["id"], ()))

    def shelves(self, ids: Collection[int]) -> Mapping[int, tuple[PharmacyStock, ...]]:
        """The stock of drugs (by row id) in each pharmacy. Expired reservations count as free."""
        found: defaultdict[int, list[PharmacyStock]] = defaultdict(list)
        for row in self._db.read(_SHELVES, {"now": to_ms(self._clock()), "ids": id_list(ids)}):
            pharmacy = Pharmacy(row["pharmacy_id"], row["name"], row["address"])
            found[row["drug_id"]].append(PharmacyStock(pharmacy, row["quantity"], max(0, row["free"])))
        return {drug_id: tuple(lines) for drug_id, lines in found.items()}

    def _rows(self, folded: str) -> list[sqlite3.Row]:
        """Rows that share trigrams with the words, the closest first."""
        grams = dict.fromkeys(word[at : at + 3] for word in folded.split() for at in range(len(word) - 2))
        if not grams:
            return []
        match = " OR ".join(f'"{one}"' for one in list(grams)[:MOST_TRIGRAMS])
        return self._db.read(
            """SELECT d.* FROM drugs_fts f JOIN drugs d ON d.id = f.rowid WHERE drugs_fts MATCH ?
                ORDER BY bm25(drugs_fts), d.id LIMIT ?""",
            (match, CANDIDATES),
        )


def fitness(tokens: list[str], words: list[str]) -> float:
    """How well the words of a query fit those of a drug, from 0 to 1.

    It is 0 when not even the best word fits. Longer words count more, and numbers must match exactly.
    """
    if not tokens or not words:
        return 0.0
    closest = [(one, max(_likeness(one, word) for word in words)) for one in tokens]
    letters = [score for one, score in closest if not one.isdigit()] or [score for _, score in closest]
    if max(letters) < LIKE_ENOUGH:
        return 0.0
    return sum(score * len(one) for one, score in closest) / sum(len(one) for one in tokens)


def _likeness(one: str, word: str) -> float:
    if one == word:
        return 1.0
    if one.isdigit() or word.isdigit():
        return 0.0
    begins = 0.9 if len(one) >= 3 and word.startswith(one) else 0.0
    return max(begins, ratio(one, word) / 100)


def drug_of(row: sqlite3.Row) -> Drug:
    return record(Drug, row)


COLUMNS: Mapping[str, tuple[str, ...]] = {
    "code": ("code", "kod_sukl"),
    "name": ("name", "nazev"),
    "strength": ("strength", "sila"),
    "form": ("form", "forma"),
    "package": ("package", "baleni"),
    "substance": ("substance", "latka", "doplnek"),
    "atc": ("atc", "atc_who"),
    "prescription": ("prescription", "vydej"),
    "price_czk": ("price_czk", "cena"),
    "pharmacy_id": ("pharmacy_id",),
    "pharmacy": ("pharmacy",),
    "address": ("address",),
    "stock": ("stock", "quantity"),
}
"""Our column names and the lower-case names accepted in a file."""

YES = frozenset({"1", "yes", "true", "ano", "r", "c", "l"})
"""Values of `prescription`; R, C and L are SUKL's codes for prescription-only or restricted drugs."""
MOST_ROWS = 500_000
REMEDY = "Mend this line, or leave it out."


class Catalogue(Record):
    drugs: tuple[Drug, ...]
    pharmacies: tuple[Pharmacy, ...]
    stock: tuple[StockLine, ...]


def read_catalogue(path: Path) -> Catalogue:
    """The drugs of a file, each code once, with stock where the file has it. Raises `BadFile`."""
    drugs: dict[str, Drug] = {}
    pharmacies: dict[str, Pharmacy] = {}
    stock: dict[tuple[str, str], StockLine] = {}
    for line, row in _rows(path, ("code", "name")):
        if not row.get("code") or not row.get("name"):
            raise BadFile(str(path), line, "A drug needs a code and a name.", REMEDY)
        texts = {name: row.get(name, "") for name in ("strength", "form", "package", "substance", "atc")}
        prescribed = row.get("prescription", "").lower() in YES
        drug = Drug(row["code"].zfill(7), row["name"], **texts, prescription=prescribed, price_czk=_price(path, line, row))
        drugs[drug.code] = drug
        if row.get("stock"):
            shelf = _stock(path, line, row)
            stock[shelf.code, shelf.pharmacy_id] = shelf
            pharmacies.setdefault(shelf.pharmacy_id, _pharmacy(row))
    return Catalogue(tuple(drugs.values()), tuple(pharmacies.values()), tuple(stock.values()))


def read_stock(path: Path) -> tuple[tuple[Pharmacy, ...], tuple[StockLine, ...]]:
    """Pharmacies and their stock from a file with the columns code, pharmacy_id and stock. Raises `BadFile`."""
    pharmacies: dict[str, Pharmacy] = {}
    stock = []
    for line, row in _rows(path, ("code", "pharmacy_id", "stock")):
        shelf = _stock(path, line, row)
        stock.append(shelf)
        pharmacies.setdefault(shelf.pharmacy_id, _pharmacy(row))
    return tuple(pharmacies.values()), tuple(stock)


def _rows(path: Path, needed: tuple[str, ...]) -> Iterator[tuple[int, dict[str, str]]]:
    """Line numbers, and values by our column names."""
    text = _text(path)
    head = text.split("\n", 1)[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=";" if head.count(";") > head.count(",") else ",")
    ours = {theirs: name for name, others in COLUMNS.items() for theirs in others}
    names = [ours.get(one.strip().lower(), "") for one in next(reader, [])]
    if missing := [one for one in needed if one not in names]:
        raise BadFile(str(path), 1, f"There is no column {', '.join(missing)}.", f"Known: {', '.join(COLUMNS)}, and SUKL's.")
    try:
        for number, values in enumerate(reader, start=2):
            if number > MOST_ROWS:
                raise BadFile(str(path), number, f"There are more than {MOST_ROWS} rows.", "Split the file.")
            if any(one.strip() for one in values):
                yield number, {name: value.strip() for name, value in zip(names, values, strict=False) if name}
    except csv.Error as error:
        raise BadFile(str(path), reader.line_num, f"Not valid CSV: {error}.", REMEDY) from error


def _text(path: Path) -> str:
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise BadFile(str(path), 0, f"It cannot be read: {error.strerror}.", "Check the path.") from error
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("cp1250", errors="replace")


def _price(path: Path, line: int, row: Mapping[str, str]) -> float | None:
    text = row.get("price_czk", "").replace(",", ".").replace("\xa0", "").replace(" ", "")
    if not text:
        return None
    with suppress(ValueError):
        if 0 <= (price := float(text)) < 10_000_000:
            return price
    raise BadFile(str(path), line, f"{text!r} is no price.", REMEDY)


def _stock(path: Path, line: int, row: Mapping[str, str]) -> StockLine:
    text = row.get("stock", "")
    if not (text.isascii() and text.isdigit() and len(text) < 8):
        raise BadFile(str(path), line, f"{text!r} is no number of packs.", REMEDY)
    if not row.get("code"):
        raise BadFile(str(path), line, "The stock of which drug? There is no code.", REMEDY)
    return StockLine(row["code"].zfill(7), row.get("pharmacy_id") or "main", int(text))


def _pharmacy(row: Mapping[str, str]) -> Pharmacy:
    name = row.get("pharmacy_id") or "main"
    return Pharmacy(name, row.get("pharmacy") or name, row.get("address", ""))


ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Without letters and digits that are easily confused."""

_RESERVATIONS = """SELECT r.*, d.code, d.name, d.strength, d.form, d.package, d.substance, d.atc, d.prescription, d.price_czk,
        p.name AS pharmacy, p.address
    FROM reservations r JOIN drugs d ON d.id = r.drug_id JOIN pharmacies p ON p.id = r.pharmacy_id"""
_BY_KEY = " ".join((_RESERVATIONS, "WHERE r.effect_key = ?"))
_BY_NUMBER = " ".join((_RESERVATIONS, "WHERE r.number = ? AND r.patient_email = ?"))
_ACTIVE = " ".join(
    (
        _RESERVATIONS,
        "WHERE r.patient_email = ? AND r.cancelled_at IS NULL AND r.expires_at > ? ORDER BY r.created_at DESC, r.id DESC",
    )
)
_FREE = """SELECT s.quantity - coalesce((SELECT sum(r.quantity) FROM reservations r WHERE r.drug_id = s.drug_id
        AND r.pharmacy_id = s.pharmacy_id AND r.cancelled_at IS NULL AND r.expires_at > ?), 0)
    FROM drug_stock s JOIN drugs d ON d.id = s.drug_id WHERE d.code = ? AND s.pharmacy_id = ?"""
_INSERT = """INSERT INTO reservations (number, drug_id, pharmacy_id, quantity, patient_name, patient_email, created_at,
    expires_at, account_id, run_id, effect_key) SELECT ?, id, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM drugs WHERE code = ?"""


class ReservationTable(Table):
    def preview(self, wish: ReservationRequest) -> None:
        """Raises `NotAllowed` or `NotFound` if `create` would."""
        with self._db.reading() as connection:
            _check(connection, wish, self._clock())

    def create(self, wish: ReservationRequest) -> Reservation:
        """Reserves the packs, once per effect key. Raises `NotAllowed`, `NotFound`."""
        now = self._clock()
        with self._db.transaction() as connection:
            made = connection.execute(_BY_KEY, (wish.effect_key,)).fetchone()
            if made is None:
                _check(connection, wish, now)
                who = (storable(wish.patient.name), wish.patient.email.lower())
                place = (new_number(), wish.pharmacy_id, wish.quantity)
                run = (wish.account_id, wish.run_id, wish.effect_key, wish.drug_code)
                connection.execute(_INSERT, (*place, *who, to_ms(now), to_ms(now + HOLD), *run))
                made = connection.execute(_BY_KEY, (wish.effect_key,)).fetchone()
        return _reservation(made)

    def of(self, patient: Patient, drug_code: str = "") -> tuple[Reservation, ...]:
        """A person's active reservations, all or of one drug, newest first."""
        rows = self._db.read(_ACTIVE, (patient.email.lower(), to_ms(self._clock())))
        return tuple(_reservation(row) for row in rows if drug_code in ("", row["code"]))

    def cancel(self, patient: Patient, number: str, effect_key: str) -> Reservation:
        """Cancels a person's reservation once. Raises `NotFound`, and `NotAllowed` if it is no longer active."""
        now = self._clock()
        with self._db.transaction() as connection:
            row = connection.execute(_BY_NUMBER, (number.strip().upper(), patient.email.lower())).fetchone()
            if row is None:
                raise NotFound(f"{patient.email} has no reservation {number[:20]}.")
            found = _reservation(row)
            if found.state(now) is not ReservationState.ACTIVE and row["cancel_key"] != effect_key:
                raise NotAllowed(f"Reservation {found.number} is {found.state(now)} already.")
            standing = found
            if standing.state(now) is not ReservationState.CANCELLED:
                connection.execute(
                    "UPDATE reservations SET cancelled_at = ?, cancel_key = ? WHERE number = ?",
                    (to_ms(now), effect_key, standing.number),
                )
            return _reservation(connection.execute(_BY_NUMBER, (standing.number, patient.email.lower())).fetchone())


def new_number() -> str:
    """A random number that is easy to read out on the phone and hard to guess."""
    return "R-" + "".join(secrets.choice(ALPHABET) for _ in range(6))


def _check(connection: sqlite3.Connection, wish: ReservationRequest, now: datetime) -> None:
    """Raises `NotAllowed` or `NotFound` unless the reservation is possible now."""
    free = connection.execute(_FREE, (to_ms(now), wish.drug_code, wish.pharmacy_id)).fetchone()
    if free is None:
        raise NotFound(f"Pharmacy {wish.pharmacy_id} does not have drug {wish.drug_code}.")
    rows = connection.execute(_ACTIVE, (wish.patient.email.lower(), to_ms(now)))
    held = tuple(_reservation(row) for row in rows if row["code"] == wish.drug_code)
    check_wish(wish, ReservationContext(max(0, free[0]), held))


def _reservation(row: sqlite3.Row) -> Reservation:
    return record(
        Reservation,
        row,
        drug=drug_of(row),
        pharmacy=Pharmacy(row["pharmacy_id"], row["pharmacy"], row["address"]),
        patient=Patient(row["patient_name"], row["patient_email"]),
    )
