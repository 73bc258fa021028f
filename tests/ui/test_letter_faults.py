"""What keeps a letter back is said in the window's language, whichever room says it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.domain.errors import Refused
from app.engine.writing.composing import read_file
from app.ui.file_faults import _spoken, spoken_fault
from app.ui.letter_faults import LETTERS

ROOMS = (
    "app/store/artifacts.py",
    "app/store/letters.py",
    "app/engine/writing/composing.py",
    "app/engine/writing/adopting.py",
    "app/mail/letters.py",
    "app/mail/mime/building.py",
    "app/engine/draft_files.py",
)

OUR_OWN = {"Message-ID is not of the form <name@host>."}
"""What no user can cause."""


def said(tree: ast.AST) -> Iterator[str]:
    """What `Refused` and `NotFound` are given, with a word in each place."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("Refused", "NotFound"):
            for one in node.args:
                if isinstance(one, ast.JoinedStr):
                    yield "".join(str(part.value) if isinstance(part, ast.Constant) else "it" for part in one.values)
                elif isinstance(one, ast.Constant) and isinstance(one.value, str):
                    yield one.value


def test_every_sentence_is_known(root: Path) -> None:
    found = {text for room in ROOMS for text in said(ast.parse((root / room).read_text(encoding="utf-8"))) if text}
    assert len(found) > 18
    assert not [text for text in sorted(found - OUR_OWN) if not _spoken(text)]
    assert len(set(LETTERS)) == len(LETTERS)
    assert all(re.search(r"\w\.$", text) or text.endswith(").") for text in LETTERS)


def test_a_folder_is_refused_in_czech(czech: None, tmp_path: Path) -> None:
    folder = tmp_path / "Fotky"
    folder.mkdir()
    with pytest.raises(Refused) as fault:
        read_file(folder)
    assert spoken_fault(fault.value.detail) == "Fotky není soubor."
    assert spoken_fault(fault.value.remedy) == "Soubory ze složky připojte po jednom."
