"""Spelling with the real Hunspell."""

from pathlib import Path

import pytest

from app.engine.commands.spelling import Spelling

pytestmark = pytest.mark.anyio


async def test_english_words_are_checked_and_suggested() -> None:
    spelling = Spelling(())
    found = await spelling.check(
        "Hello, this is a sentense with two erors. Write to ana@exampel.org about the NASA API, it’s fine."
    )
    assert (found.words, found.language) == (("sentense", "erors"), "en")
    assert "sentence" in (await spelling.suggest("sentense", "en")).words
    assert (await spelling.suggest("sentense", "xx")).words == ()


async def test_a_foreign_name_is_left_alone_where_the_dictionary_cannot_write_it() -> None:
    spelling = Spelling(())
    found = await spelling.check("Hello, please write to Dvořák and Příhoda about the sentense, thank you for it.")
    assert (found.words, found.language) == (("sentense",), "en")
    assert (await spelling.suggest("Dvořák", "en")).words == ()


async def test_without_a_dictionary_nothing_is_marked() -> None:
    found = await Spelling(()).check("Dobrý den, prosím vás o nabídku, děkuji a jsem s pozdravem váš čtenář.")
    assert (found.words, found.language) == ((), "")


async def test_a_dictionary_of_the_system_is_used(tmp_path: Path) -> None:
    (tmp_path / "cs_CZ.aff").write_text("SET UTF-8\n", encoding="utf-8")
    words = ["dobrý", "den", "prosím", "vás", "o", "nabídku", "děkuji"]
    (tmp_path / "cs_CZ.dic").write_text("\n".join([str(len(words)), *words]) + "\n", encoding="utf-8")
    found = await Spelling((tmp_path,)).check("Dobrý den, prosím vás o nabítku, děkuji.")
    assert (found.words, found.language) == (("nabítku",), "cs")
