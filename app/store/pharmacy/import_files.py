"""Reads drug catalogues from CSV files with our columns or those of SUKL, the Czech drug authority.

Separated by semicolon or comma, in UTF-8 or windows-1250.
"""

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from app.domain.errors import BadFile
from app.domain.pharmacy import Drug, Pharmacy
from app.store.pharmacy.drugs import StockLine

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


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The content of a file."""

    drugs: tuple[Drug, ...]
    pharmacies: tuple[Pharmacy, ...]
    stock: tuple[StockLine, ...]


def read_catalogue(path: Path) -> Catalogue:
    """The drugs of a file, each code once, with stock where the file has it. Raises `BadFile`."""
    drugs: dict[str, Drug] = {}
    pharmacies: dict[str, Pharmacy] = {}
    stock: dict[tuple[str, str], StockLine] = {}
    for line, row in _rows(path, ("code", "name")):
        drug = _drug(path, line, row)
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
    names = _names(next(reader, []))
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


def _names(head: list[str]) -> list[str]:
    """Our names of the file's columns, empty for unknown ones."""
    ours = {theirs: name for name, others in COLUMNS.items() for theirs in others}
    return [ours.get(one.strip().lower(), "") for one in head]


def _text(path: Path) -> str:
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise BadFile(str(path), 0, f"It cannot be read: {error.strerror}.", "Check the path.") from error
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("cp1250", errors="replace")


def _drug(path: Path, line: int, row: Mapping[str, str]) -> Drug:
    if not row.get("code") or not row.get("name"):
        raise BadFile(str(path), line, "A drug needs a code and a name.", REMEDY)
    texts = {name: row.get(name, "") for name in ("strength", "form", "package", "substance", "atc")}
    prescribed = row.get("prescription", "").lower() in YES
    return Drug(row["code"].zfill(7), row["name"], **texts, prescription=prescribed, price_czk=_price(path, line, row))


def _price(path: Path, line: int, row: Mapping[str, str]) -> float | None:
    text = row.get("price_czk", "").replace(",", ".").replace("\xa0", "").replace(" ", "")
    if not text:
        return None
    try:
        price = float(text)
    except ValueError as error:
        raise BadFile(str(path), line, f"{text!r} is no price.", REMEDY) from error
    if not 0 <= price < 10_000_000:
        raise BadFile(str(path), line, f"{text!r} is no price.", REMEDY)
    return price


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
