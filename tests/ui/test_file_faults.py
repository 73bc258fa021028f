"""What is wrong with a file is said in the window's language, whoever found it."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.config.settings import parse
from app.domain.errors import BadFile
from app.mail.client_file import read_client_file
from app.ui.file_faults import SENTENCES, _spoken, spoken_fault

ROOMS = ("app/config", "app/mail/client_file.py", "app/mail/imports")
PUT_TOGETHER = ("it is no it from it to it.", "it is no name for a it.", "it: it.")
"""Of whose parts some are words: the wholes are listed, and tried with real files below."""


def said(tree: ast.AST) -> Iterator[str]:
    """What the calls of `BadFile` and `fault` in a module say, with a word in each place."""
    names: dict[str, list[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            names.setdefault(node.targets[0].id, []).extend(texts(node.value, {}))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in ("BadFile", "fault"):
            for argument in node.args[-2:]:
                yield from texts(argument, names)


def texts(node: ast.expr, names: dict[str, list[str]]) -> list[str]:
    """The texts that an expression may be."""
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.JoinedStr(values=values):
            return ["".join(str(one.value) if isinstance(one, ast.Constant) else "it" for one in values)]
        case ast.IfExp(body=body, orelse=other):
            return [*texts(body, names), *texts(other, names)]
        case ast.Name(id=name):
            return names.get(name, [])
    return []


def test_every_sentence_of_the_readers_is_known(root: Path) -> None:
    files = [path for room in ROOMS for path in ([root / room] if room.endswith(".py") else sorted((root / room).glob("*.py")))]
    found = {text for path in files for text in said(ast.parse(path.read_text(encoding="utf-8"))) if text.endswith(".")}
    assert len(found) > 60
    unknown = [text for text in sorted(found) if not _spoken(text) and text not in PUT_TOGETHER]
    assert not unknown, f"add them to app/ui/file_faults.py: {unknown}"
    assert len(set(SENTENCES)) == len(SENTENCES)


def test_real_faults_in_czech(czech: None, tmp_path: Path) -> None:
    file = tmp_path / "client.json"
    file.write_text('{"web": {}}', encoding="utf-8")
    with pytest.raises(BadFile) as fault:
        read_client_file(file)
    assert spoken_fault(fault.value.detail) == "Tento klient je typu „Web application“."
    assert "Google Cloud Console" in spoken_fault(fault.value.remedy) != fault.value.remedy
    where = f"{file}:12: "
    assert spoken_fault(where + "There is no route 'nobody'.") == f"{where}Cesta „nobody“ neexistuje."
    assert spoken_fault("There is no 'colour' in a rule.") == "„colour“ do a rule nepatří."
    settings = tmp_path / "settings.toml"
    for text, words in (
        ("[sending]\nundo_s = true\n", "sending.undo_s: očekává se `int`, stojí tu `bool`."),
        ("[sending]\ncolour = 1\n", "sending.colour: nastavení `colour` neexistuje."),
        ("[sending\n", "Neplatný TOML: "),
    ):
        with pytest.raises(BadFile) as fault:
            parse(text, settings)
        assert spoken_fault(fault.value.detail).startswith(words), fault.value.detail
        assert spoken_fault(fault.value.remedy).startswith("Opravte tento řádek")
    assert spoken_fault("max_tokens is no whole number from 1 to 100.") == "max_tokens není celé číslo od 1 do 100."
    assert spoken_fault("'a b' is no name for a profile.") == "„a b“ není název pro profil."
    assert spoken_fault("Nobody listed this.") == "Nobody listed this."


def test_a_name_with_a_percent_sign_is_said_as_it_is(czech: None) -> None:
    assert "50%2.pdf" in spoken_fault("50%2.pdf cannot be read (Permission denied).")
