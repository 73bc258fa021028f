"""The catalogue of drugs and their stock. Implements `Drugs`.

A search takes candidates from the trigram index, then scores how well each word fits. It tolerates accents, typing errors and
word order.
"""

import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from rapidfuzz.fuzz import ratio

from app.domain.errors import NotAllowed, NotFound
from app.domain.pharmacy import Drug, FoundDrug, Pharmacy, PharmacyStock, fold
from app.domain.ports.agents import Clock
from app.store.db.codecs import id_list
from app.store.db.database import Database
from app.store.db.records import record
from app.store.db.times import to_ms

CANDIDATES = 400
LIKE_ENOUGH = 0.7
"""The least score of the best word."""
FITTING = 0.55
"""The least score of all words together."""
MOST_TRIGRAMS = 60

_UPSERT = """INSERT INTO drugs (code, name, strength, form, package, substance, atc, prescription, price_czk, folded)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
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
    """The packs of a drug that a pharmacy has."""

    code: str
    pharmacy_id: str
    quantity: int


class DrugTable:
    """The tables `drugs`, `pharmacies` and `drug_stock`."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._db = db
        self._clock = clock

    def count(self) -> int:
        """How many drugs there are."""
        return int(self._db.read("SELECT count(*) FROM drugs")[0][0])

    def replace(self, drugs: Iterable[Drug], pharmacies: Iterable[Pharmacy] = (), stock: Iterable[StockLine] = ()) -> int:
        """Imports a catalogue in one transaction: updates drugs by code and replaces their stock. Returns the number of drugs.

        Drugs that are not in it stay, because reservations may refer to them. Raises `NotAllowed` for stock of an unknown drug.
        """
        rows = [_values(one) for one in drugs]
        with self._db.transaction() as connection:
            connection.executemany(_UPSERT, rows)
            connection.executemany(_PHARMACY, [(one.id, one.name, one.address) for one in pharmacies])
            for line in stock:
                _put_stock(connection, line)
            connection.execute("INSERT INTO drugs_fts (drugs_fts) VALUES ('rebuild')")
        return len(rows)

    def search(self, query: str, limit: int) -> tuple[FoundDrug, ...]:
        """The drugs whose names fit best; for equal scores those in stock come first."""
        hits = sorted(self._fitting(fold(query)), key=lambda one: (-one[0], one[1].label, one[1].code))
        shelves = self.shelves([key for _, _, key in hits[: limit * 4]])
        found = [FoundDrug(drug, round(score, 3), shelves.get(key, ())) for score, drug, key in hits[: limit * 4]]
        found.sort(key=lambda one: (-one.score, not any(shelf.free > 0 for shelf in one.shelves)))
        return tuple(found[:limit])

    def named(self, name: str) -> FoundDrug:
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

    def _fitting(self, folded: str) -> list[tuple[float, Drug, int]]:
        """Drugs with their score and row id."""
        tokens = folded.split()
        scored = ((fitness(tokens, row["folded"].split()), row) for row in self._rows(folded))
        return [(score, drug_of(row), row["id"]) for score, row in scored if score >= FITTING]

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


def _put_stock(connection: sqlite3.Connection, line: StockLine) -> None:
    known = connection.execute("SELECT 1 FROM pharmacies WHERE id = ?", (line.pharmacy_id,)).fetchone()
    if known is None:
        connection.execute(_PHARMACY, (line.pharmacy_id, line.pharmacy_id, ""))
    if not connection.execute(_STOCK, (line.pharmacy_id, line.quantity, line.code)).rowcount:
        raise NotAllowed(f"There is stock of drug {line.code}, which is not in the catalogue.")


def _values(drug: Drug) -> tuple[str | int | float | None, ...]:
    identity = (drug.code, drug.name, drug.strength, drug.form, drug.package, drug.substance, drug.atc)
    return (*identity, int(drug.prescription), drug.price_czk, drug.folded)


def drug_of(row: sqlite3.Row) -> Drug:
    return record(Drug, row)
