"""Generates a plausible drug catalogue for demos: known substances, brand names, strengths and packages.

The same seed gives the same catalogue. Codes start at 9000001, which the authority does not use.
"""

import csv
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple, TextIO, TypeVar

from app.domain.pharmacy import Drug, Pharmacy

FIRST_CODE = 9_000_001
HEAD = ("code", "name", "strength", "form", "package", "substance", "atc", "prescription", "price_czk")
SHELF_HEAD = ("pharmacy_id", "pharmacy", "address", "stock")
PHARMACIES = (
    Pharmacy("P1", "Lékárna U Anděla", "Nádražní 12, Praha 5"),
    Pharmacy("P2", "Lékárna Na Růžku", "Kounicova 3, Brno"),
    Pharmacy("P3", "Lékárna Zdraví", "28. října 40, Ostrava"),
)
PIECES = ("10", "12", "20", "24", "28", "30", "50", "60", "90", "100")
PACKAGES = {
    "TBL": PIECES,
    "CPS": PIECES,
    "PAS": PIECES,
    "GEL": ("1X50G", "1X100G", "1X150G"),
    "CRM": ("1X15G", "1X20G", "1X30G"),
    "UNG": ("1X10G", "1X20G", "1X30G"),
    "INJ": ("5X3ML", "10X3ML"),
}
LIQUID = ("1X10ML", "1X20ML", "1X60ML", "1X100ML", "1X200ML")
MAKERS = ("", "", "", "ACTAVIS", "SANDOZ", "TEVA", "ZENTIVA", "KRKA", "MYLAN", "STADA", "PMCS", "AUROVITAS", "MEDREG")
STOCKS = (0, 1, 2, 3, 5, 8, 12, 20)

T = TypeVar("T")


class Medicine(NamedTuple):
    """A substance, its brand names, strengths and forms."""

    substance: str
    atc: str
    names: tuple[str, ...]
    strengths: tuple[str, ...]
    forms: tuple[str, ...]
    prescription: bool


class SeededRandom:
    """Random numbers that are the same for a seed on every machine."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._drawn = 0

    def below(self, limit: int) -> int:
        """A number from 0 to `limit` - 1."""
        self._drawn += 1
        return int.from_bytes(sha256(f"{self._seed}:{self._drawn}".encode()).digest()[:8]) % limit

    def choice(self, options: Sequence[T]) -> T:
        return options[self.below(len(options))]


def read_medicines(path: Path) -> tuple[Medicine, ...]:
    """Reads medicines from a CSV file with `;` between columns and `|` between names."""
    with path.open(encoding="utf-8", newline="") as file:
        return tuple(
            Medicine(
                row["substance"],
                row["atc"],
                tuple(row["names"].split("|")),
                tuple(row["strengths"].split("|")),
                tuple(row["forms"].split("|")),
                row["prescription"] == "1",
            )
            for row in csv.DictReader(file, delimiter=";")
        )


def catalogue(medicines: Sequence[Medicine], rows: int, seed: int = 7) -> Iterator[Drug]:
    """Yields at most `rows` drugs, all with different labels."""
    random = SeededRandom(seed)
    seen: set[str] = set()
    for _ in range(rows * 20):
        if len(seen) == rows:
            return
        medicine = random.choice(medicines)
        name = " ".join(filter(None, (random.choice(medicine.names), random.choice(MAKERS))))
        strength, form = random.choice(medicine.strengths), random.choice(medicine.forms)
        shape = (strength, form, random.choice(PACKAGES.get(form[:3], LIQUID)))
        label = " ".join((name, *shape))
        if label not in seen:
            code = str(FIRST_CODE + len(seen))
            seen.add(label)
            yield Drug(code, name, *shape, medicine.substance, medicine.atc, medicine.prescription, float(25 + random.below(875)))


def write_catalogue(out: TextIO, medicines: Sequence[Medicine], rows: int, seed: int = 7) -> int:
    """Writes the catalogue as CSV with stock and returns the number of drugs.

    There is a row for each pharmacy that has the drug.
    """
    random = SeededRandom(seed + 1)
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow((*HEAD, *SHELF_HEAD))
    count = 0
    for drug in catalogue(medicines, rows, seed):
        count += 1
        what = (drug.code, drug.name, drug.strength, drug.form, drug.package, drug.substance, drug.atc, int(drug.prescription))
        for shop in [pharmacy for pharmacy in PHARMACIES if random.below(5) < 3] or [random.choice(PHARMACIES)]:
            writer.writerow((*what, drug.price_czk, shop.id, shop.name, shop.address, random.choice(STOCKS)))
    return count
