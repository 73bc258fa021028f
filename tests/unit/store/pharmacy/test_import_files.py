"""Catalogues out of CSV: ours and the authority's, both code pages, and faults with their line."""

from pathlib import Path

import pytest

from app.domain.errors import BadFile
from app.domain.pharmacy import Drug, Pharmacy
from app.store.pharmacy.drugs import StockLine
from app.store.pharmacy.import_files import read_catalogue, read_stock

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


def test_stock_by_itself(tmp_path: Path) -> None:
    pharmacies, stock = read_stock(written(tmp_path / "s.csv", "\ufeffcode;pharmacy_id;stock\n254045;P1;7\n"))
    assert (pharmacies, stock) == ((Pharmacy("P1", "P1"),), (StockLine("0254045", "P1", 7),))


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", 1, "no column code, name"),
        ("code,title\n", 1, "no column name"),
        ("code,name\n1,A\n,B\n", 3, "code and a name"),
        ("code,name,price_czk\n1,A,free\n", 2, "'free' is no price"),
        ("code,name,price_czk\n1,A,nan\n", 2, "no price"),
        ("code,name,stock\n1,A,-1\n", 2, "'-1' is no number of packs"),
        ("code,name,stock\n1,A,²\n", 2, "no number of packs"),
        ('code,name\n1,"A\n', 0, ""),
    ],
)
def test_a_fault_has_its_line(tmp_path: Path, text: str, line: int, words: str) -> None:
    path = written(tmp_path / "bad.csv", text)
    if not words:
        assert read_catalogue(path).drugs[0].name == "A"
        return
    with pytest.raises(BadFile, match=words) as caught:
        read_catalogue(path)
    assert caught.value.line == line


def test_a_missing_file_says_so(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="cannot be read"):
        read_catalogue(tmp_path / "none.csv")
