"""Settings: defaults, mistakes with their line, and files of the user as bytes."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.config.appearance import FirstAppearance, first_looks
from app.config.settings import load, parse
from app.config.settings_file import change, write_atomically
from app.domain.errors import BadFile, NotAllowed


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "settings.toml"


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("[sending]\nundo_s = -1\n", 2, "sending.undo_s"),
        ("\n[sending]\n\nundo_s = 'ten'\n", 4, "sending.undo_s"),
        ("[sending]\nundo = 3\n", 2, "there is no setting"),
        ("[appearance]\ntheme = 'pink'\n", 2, "appearance.theme"),
        ("[calendar]\nstart = '25:00'\n", 2, "calendar.start"),
        ("[calendar]\nweekdays = [7]\n", 2, "calendar.weekdays"),
        ("[automation]\nauto_approve_categories = ['complaint']\n", 2, "automation.auto_approve_categories"),
        ("[automation]\nauto_approve_daily_cap = 0\n", 2, "automation.auto_approve_daily_cap"),
        ("[model]\nmonthly_usd = -1\n", 2, "model.monthly_usd"),
        ("[nonsense]\na = 1\n", 1, "nonsense"),
        ("[sending]\n[[model]]\nname = 'x'\n", 2, "model"),
        ("[model.name]\nx = 1\n", 1, "model.name"),
        ("a.b.c = 1\n", 1, "there is no setting `a`"),
        ("[calendar]\ntime_zone = 'Nowhere/Town'\n", 2, "no time zone “Nowhere/Town”. Use a name such as Europe/Prague"),
        ("[model]\nname = \n", 2, "TOML"),
        ("a = " + "[" * 3000, 1, "TOML"),
    ],
)
def test_errors_name_line_and_remedy(text: str, line: int, words: str, path: Path) -> None:
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadFile) as caught:
        load(path)
    assert caught.value.line == line
    assert words in str(caught.value)
    assert path.read_text(encoding="utf-8") == text


def test_change_keeps_comments_and_is_whole_or_nothing(tmp_path: Path, path: Path) -> None:
    path.write_text("# mine\n[sending]\nundo_s = 5 # short\n", encoding="utf-8")
    settings = change(path, [("sending.undo_s", "20"), ("model.name", '"ollama/llama3.2"')])
    assert (settings.sending.undo_s, settings.model.name) == (20, "ollama/llama3.2")
    text = path.read_text(encoding="utf-8")
    assert "# mine" in text
    assert "# short" in text
    assert load(path) == settings
    with pytest.raises(BadFile):
        change(path, [("sending.undo_s", "20000")])
    assert path.read_text(encoding="utf-8") == text
    assert [entry.name for entry in tmp_path.iterdir()] == ["settings.toml"]


def test_a_file_that_may_not_be_written_is_not_called_a_full_disk(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("x")
    for target in (tmp_path / "folder", tmp_path / "file" / "settings.toml"):
        with pytest.raises(NotAllowed, match="could not be written"):
            write_atomically(target, "x")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["file", "folder"]


@given(st.text(max_size=80))
def test_any_text_is_settings_or_a_bad_file(text: str) -> None:
    try:
        parse(text, Path("settings.toml"))
    except BadFile as error:
        assert error.line >= 0


@pytest.mark.parametrize(
    "lines",
    [
        'theme = "dark"',
        'theme = "contrast-light"',
        'theme = "contrast-dark"',
        'language = "cs"\ntext_percent = 125',
        'theme = "light"\ntext_percent = 80',
    ],
)
def test_they_agree_with_the_settings(lines: str, path: Path) -> None:
    path.write_text(f"[appearance]\n{lines}\n", encoding="utf-8")
    checked = load(path).appearance
    assert first_looks(path) == FirstAppearance(checked.theme, checked.language, checked.text_percent / 100)


def test_nothing_is_approved_alone_unless_it_is_named(path: Path) -> None:
    assert load(path).automation.auto_approve_categories == ()
    settings = change(path, [("automation.auto_approve_categories", '["inquiry"]'), ("automation.auto_approve_daily_cap", "3")])
    assert (settings.automation.auto_approve_categories, settings.automation.auto_approve_daily_cap) == (("inquiry",), 3)
