"""The texts of errors in the window's language: every cause has its words, and values stand in their places."""

import re
from pathlib import Path

import pytest

from app.config.settings import parse
from app.domain.error_texts import Cause, ErrorText
from app.domain.errors import BadFile, NotAllowed
from app.domain.ids import AccountId
from app.domain.protocol.events import CommandFailed
from app.engine.letters.letter_editor import read_file
from app.engine.runtime.tables import open_tables
from app.mail.gmail.client_file import read_client_file
from app.store.reader.mailbox_reader import SqliteMailboxReader
from app.ui.i18n.error_messages import named, refused, said, sentence, translated
from fakes.engine.store.values import ME, HandClock


def test_every_cause_has_czech_words_with_its_places(czech: None) -> None:
    for cause in Cause:
        places = sorted(set(re.findall(r"%\d", " ".join(cause.texts))))
        values = tuple(f"value-{place}" for place in places)
        text = ErrorText(cause.name, values)
        words = translated(text)
        assert places == [f"%{number}" for number in range(1, len(places) + 1)], cause
        assert all(value in words and value in str(text) for value in values), words
        assert words != str(text) or cause is Cause.SETTING_INVALID, cause


def test_a_client_file_with_an_error(czech: None, tmp_path: Path) -> None:
    file = tmp_path / "client.json"
    file.write_text('{"web": {}}', encoding="utf-8")
    with pytest.raises(BadFile) as caught:
        read_client_file(file)
    assert translated(caught.value.text).startswith("Tento klient je typu „Web application“. V\xa0Google Cloud Console")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("[sending]\nundo_s = true\n", "sending.undo_s: očekává se `int`, stojí tu `bool`. Opravte tento řádek"),
        ("[sending]\ncolour = 1\n", "sending.colour: nastavení `colour` neexistuje. Opravte tento řádek"),
        ("[sending\n", "Neplatný TOML: "),
    ],
)
def test_settings_with_an_error(czech: None, tmp_path: Path, content: str, words: str) -> None:
    with pytest.raises(BadFile) as caught:
        parse(content, tmp_path / "settings.toml")
    assert translated(caught.value.text).startswith(words)


def test_a_folder_is_no_attachment(czech: None, tmp_path: Path) -> None:
    folder = tmp_path / "Fotky"
    folder.mkdir()
    with pytest.raises(NotAllowed) as caught:
        read_file(folder)
    assert said(caught.value.code, caught.value.text) == "Fotky není soubor. Soubory ze složky připojte po jednom."


def test_place_quotes_and_sentences_without_a_cause(czech: None) -> None:
    text = ErrorText(Cause.UNKNOWN_ROUTE.name, ("nobody", "agent"), "routing.yaml:12")
    assert translated(text) == "routing.yaml:12: Cesta „nobody“ neexistuje. Zvolte jednu z: agent."
    assert translated(ErrorText.of("Nobody listed this.", "Wait.")) == "Nobody listed this. Wait."
    assert "50%2.pdf" in translated(ErrorText.of(Cause.FILE_NOT_READ, "50%2.pdf", "Permission denied"))


def test_one_of_several_is_named_and_an_only_one_is_not(tmp_path: Path) -> None:
    tables = open_tables(tmp_path / "mail.db", HandClock())
    reader = SqliteMailboxReader(tmp_path / "mail.db")
    me = tables.accounts.add(ME.email, ME.name, (ME.email,), "", "#123456")
    tables.archives.open(tmp_path / "old.mbox", 10)
    event = CommandFailed("DraftReply", "offline", ErrorText.of("no route"), me)
    assert refused(event, reader) == sentence("offline")
    assert sentence("refused", ErrorText.of(Cause.TOO_LATE)) == str(ErrorText.of(Cause.TOO_LATE)), "the reason says it all"
    other = tables.accounts.add("you@example.com", "You", (), "", "#222222")
    assert refused(event, reader) == f"{ME.email}: {sentence('offline')}"
    assert named("Stop.", other, reader) == "you@example.com: Stop."
    assert named("Stop.", AccountId(0), reader) == "Stop."
    reader.close()
    tables.db.close()
