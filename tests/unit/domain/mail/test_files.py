"""Names of files from strangers are safe on any system, and programs are known by their ends."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.mail.files import LONGEST_NAME, runs_when_opened, safe_name

FORBIDDEN = set('<>:"/\\|?*\x00\x1f\x7f\u202e\u200b\ufeff')


@given(st.text(st.characters(codec=None), max_size=300))
def test_any_name_becomes_a_safe_one(name: str) -> None:
    made = safe_name(name)
    assert made
    assert not FORBIDDEN & set(made)
    assert len(made.encode()) <= LONGEST_NAME
    assert made == made.strip(" .")
    assert made.split(".")[0].lower() not in {"con", "aux", "nul", "prn"}
    assert safe_name(made) == made


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("report.pdf", "report.pdf"),
        ("../../etc/passwd", "_._etc_passwd"),
        ("con.txt", "_con.txt"),
        ("", "file"),
        (" ... ", "file"),
        ("účet č. 4.pdf", "účet č. 4.pdf"),
        ("bill\u202efdp.exe", "bill_fdp.exe"),
        ("caf\udce9.pdf", "caf_.pdf"),
    ],
)
def test_names(name: str, safe: str) -> None:
    assert safe_name(name) == safe


def test_long_names_keep_their_end() -> None:
    assert safe_name("ž" * 300 + ".pdf").endswith(".pdf")


@pytest.mark.parametrize(
    "name", ["a.exe", "a.pdf.JS", "a.Desktop", "x.sh", "run.lnk", "a.PY", "Setup.MSIX", "x.appref-ms", "x.terminal"]
)
def test_programs(name: str) -> None:
    assert runs_when_opened(name)


@pytest.mark.parametrize("name", ["a.pdf", "a.exe.txt", "", "notes"])
def test_documents(name: str) -> None:
    assert not runs_when_opened(name)
