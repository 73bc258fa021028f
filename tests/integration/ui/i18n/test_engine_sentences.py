"""What the engine says in English is shown in the window's language."""

from pathlib import Path

import pytest

from app.config.settings import parse
from app.domain.errors import BadFile, NotAllowed
from app.engine.letters.letter_editor import read_file
from app.mail.gmail.client_file import read_client_file
from app.ui.i18n.engine_sentences import translated_detail
from app.ui.i18n.error_messages import said
from app.ui.pages.assistant.assistant_texts import error_words


def test_real_faults_in_czech(czech: None, tmp_path: Path) -> None:
    file = tmp_path / "client.json"
    file.write_text('{"web": {}}', encoding="utf-8")
    with pytest.raises(BadFile) as fault:
        read_client_file(file)
    assert translated_detail(fault.value.detail) == "Tento klient je typu „Web application“."
    assert "Google Cloud Console" in translated_detail(fault.value.remedy) != fault.value.remedy
    where = f"{file}:12: "
    assert translated_detail(where + "There is no route 'nobody'.") == f"{where}Cesta „nobody“ neexistuje."
    assert translated_detail("There is no 'colour' in a rule.") == "„colour“ do a rule nepatří."
    settings = tmp_path / "settings.toml"
    for text, words in (
        ("[sending]\nundo_s = true\n", "sending.undo_s: očekává se `int`, stojí tu `bool`."),
        ("[sending]\ncolour = 1\n", "sending.colour: nastavení `colour` neexistuje."),
        ("[sending\n", "Neplatný TOML: "),
    ):
        with pytest.raises(BadFile) as fault:
            parse(text, settings)
        assert translated_detail(fault.value.detail).startswith(words), fault.value.detail
        assert translated_detail(fault.value.remedy).startswith("Opravte tento řádek")
    assert translated_detail("max_tokens is no whole number from 1 to 100.") == "max_tokens není celé číslo od 1 do 100."
    assert translated_detail("'a b' is no name for a profile.") == "„a b“ není název pro profil."
    assert translated_detail("Nobody listed this.") == "Nobody listed this."


def test_a_name_with_a_percent_sign_is_said_as_it_is(czech: None) -> None:
    assert "50%2.pdf" in translated_detail("50%2.pdf cannot be read (Permission denied).")


@pytest.mark.parametrize(
    ("said_in_english", "czech_words"),
    [
        ("The mail has no recipient. Try the step again.", "E-mail nemá příjemce. Zkuste krok znovu."),
        ("openai/gpt-4o answered twice in a form that cannot be used.", "openai/gpt-4o"),
        ("Nobody knows. Try the step again.", "Nobody knows. Zkuste krok znovu."),
        ("", ""),
    ],
)
def test_several_sentences_are_said_in_czech(czech: None, said_in_english: str, czech_words: str) -> None:
    assert error_words(said_in_english).startswith(czech_words)


def test_a_folder_is_refused_in_czech(czech: None, tmp_path: Path) -> None:
    folder = tmp_path / "Fotky"
    folder.mkdir()
    with pytest.raises(NotAllowed) as fault:
        read_file(folder)
    assert translated_detail(fault.value.detail) == "Fotky není soubor."
    assert translated_detail(fault.value.remedy) == "Soubory ze složky připojte po jednom."


def test_a_refusal_in_czech(czech: None) -> None:
    words = said("refused", "routing.yaml was changed meanwhile.", "Look at the rules as they are now and change them again.")
    assert words == "Soubor routing.yaml se mezitím změnil. Podívejte se, jak pravidla vypadají teď, a změňte je znovu."
