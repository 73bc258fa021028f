"""The catalogues hold every string of the window, finished and released."""

import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtCore import QTranslator

PLURAL_FORMS = {"cs": (1, 2, 5), "en": (1, 2)}
"""A number for each plural form of a language, in the order of the catalogue."""


MARKED = ("error_texts.py", "mail/triage.py")
"""Modules of `app/domain` with texts that the window translates."""


@dataclass(frozen=True)
class Entry:
    """One message of a catalogue."""

    context: str
    source: str
    plural: bool
    finished: bool
    words: tuple[str, ...]

    @property
    def key(self) -> tuple[str, str, bool]:
        """What makes it the same message."""
        return self.context, self.source, self.plural


def entries(path: Path) -> list[Entry]:
    """All messages of a .ts file."""
    found = []
    for context in ET.parse(path).getroot().iter("context"):
        for message in context.iter("message"):
            translation = message.find("translation")
            assert translation is not None
            plural = message.get("numerus") == "yes"
            words = tuple(form.text or "" for form in translation.iter("numerusform")) if plural else (translation.text or "",)
            finished = translation.get("type") != "unfinished" and all(words)
            found.append(Entry(context.findtext("name", ""), message.findtext("source", ""), plural, finished, words))
    return found


@pytest.fixture(scope="module")
def wanted(tmp_path_factory: pytest.TempPathFactory) -> list[Entry]:
    root = Path(__file__).resolve().parents[4]
    fresh = tmp_path_factory.mktemp("i18n") / "fresh.ts"
    tool = Path(sys.executable).with_name("pyside6-lupdate")
    files = sorted(
        str(path) for path in (*(root / "app" / "ui").rglob("*.py"), *(root / "app" / "domain" / one for one in MARKED))
    )
    done = subprocess.run(
        [tool, "-locations", "none", *files, "-ts", fresh], cwd=root, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return entries(fresh)


@pytest.mark.parametrize("language", ["cs", "en"])
def test_every_string_is_translated(wanted: list[Entry], root: Path, language: str) -> None:
    """Nothing is missing or unfinished; English needs its plurals only."""
    have = {entry.key: entry for entry in entries(root / "resources" / "i18n" / f"replyroom_{language}.ts")}
    needed = [entry for entry in wanted if language == "cs" or entry.plural]
    assert len(needed) > (400 if language == "cs" else 15)
    missing = [entry.key for entry in needed if entry.key not in have]
    assert not missing, f"see resources/i18n/README.md; missing: {missing}"
    unfinished = [key for key, entry in have.items() if not entry.finished]
    assert not unfinished, f"see resources/i18n/README.md; unfinished: {unfinished}"


def test_no_string_stands_inside_an_f_string(root: Path) -> None:
    """`lupdate` does not see it there: it would stay English."""
    hidden = re.compile(r"""\bf"[^"]*\{[^}"]*\b(?:tr|translate)\('""")
    found = [str(path) for path in (root / "app" / "ui").rglob("*.py") if hidden.search(path.read_text("utf-8"))]
    assert not found


@pytest.mark.parametrize("language", ["cs", "en"])
def test_places_for_values_are_kept(root: Path, language: str) -> None:
    """Each %1 and %n of the source stands in each form, and there are as many forms as the language has."""
    for entry in entries(root / "resources" / "i18n" / f"replyroom_{language}.ts"):
        places = sorted(re.findall(r"%(?:\d|n)", entry.source))
        for words in entry.words:
            assert sorted(re.findall(r"%(?:\d|n)", words)) == places, entry
        if entry.plural:
            assert len(entry.words) == len(PLURAL_FORMS[language]), entry


@pytest.mark.parametrize("language", ["cs", "en"])
def test_the_released_file_is_the_newest(root: Path, language: str) -> None:
    """What the window loads says what the catalogue says."""
    folder = root / "resources" / "i18n"
    translator = QTranslator()
    assert translator.load(str(folder / f"replyroom_{language}.qm"))
    for entry in entries(folder / f"replyroom_{language}.ts"):
        numbers = PLURAL_FORMS[language] if entry.plural else (-1,)
        for number, words in zip(numbers, entry.words, strict=True):
            assert translator.translate(entry.context, entry.source, "", number) == words, entry


def test_a_czech_preposition_of_one_letter_does_not_end_a_line(root: Path) -> None:
    loose = re.compile(r"(?<!\w)[ksvzouKSVZOU] (?=\S)")
    found = [
        words for one in entries(root / "resources" / "i18n" / "replyroom_cs.ts") for words in one.words if loose.search(words)
    ]
    assert not found
