"""Settings: defaults, mistakes with their line, and files of the user as bytes."""

from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from dateutil.tz import tzlocal
from hypothesis import given
from hypothesis import strategies as st

from app.config.appearance import FirstAppearance, first_looks
from app.config.rules.profiles import load_routing
from app.config.settings import Settings, load, parse, zone_of
from app.config.settings_file import change, write_atomically
from app.config.user_files import read_text
from app.domain.errors import BadFile, NotAllowed


def test_missing_file_means_defaults(tmp_path: Path) -> None:
    assert load(tmp_path / "settings.toml") == Settings()


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


def test_nothing_is_approved_alone_unless_it_is_named(path: Path) -> None:
    assert load(path).automation.auto_approve_categories == ()
    settings = change(path, [("automation.auto_approve_categories", '["inquiry"]'), ("automation.auto_approve_daily_cap", "3")])
    assert (settings.automation.auto_approve_categories, settings.automation.auto_approve_daily_cap) == (("inquiry",), 3)


def test_not_utf8_names_the_line(path: Path) -> None:
    path.write_bytes(b"[model]\nname = '\xff'\n")
    with pytest.raises(BadFile) as caught:
        load(path)
    assert caught.value.line == 2


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


def test_change_leaves_a_broken_file_alone(path: Path) -> None:
    path.write_text("[sending\n", encoding="utf-8")
    with pytest.raises(BadFile):
        change(path, [("sending.undo_s", "3")])
    assert path.read_text(encoding="utf-8") == "[sending\n"


NONSENSE = [
    ("undo_s", "1"),
    ("sending.undo_s", "{"),
    ("model.name", "null"),
    ("model.name", "[" * 9999),
    ("model.name", '"\\ud800"'),
]


@pytest.mark.parametrize("pair", NONSENSE)
def test_change_refuses_nonsense(tmp_path: Path, pair: tuple[str, str]) -> None:
    with pytest.raises(NotAllowed):
        change(tmp_path / "settings.toml", [pair])


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


def test_named_and_the_machines() -> None:
    assert zone_of("Europe/Prague") == ZoneInfo("Europe/Prague")
    assert zone_of("") == tzlocal()


def test_a_memory_without_preferences_has_its_usual_text(path: Path) -> None:
    assert "30 minutes" in load(path).memory.text("cal_preferences")
    changed = change(path, [("memory.reply", '"Always in rhymes."'), ("memory.triage", '""')])
    assert (changed.memory.text("response_preferences"), changed.memory.text("triage_preferences")) == ("Always in rhymes.", "")


def test_without_a_file_or_a_table_they_are_the_defaults(path: Path) -> None:
    assert first_looks(path) == FirstAppearance()
    path.write_text("[sending]\nundo_s = 3\n", encoding="utf-8")
    assert first_looks(path) == FirstAppearance()


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


@pytest.mark.parametrize(
    "text",
    [
        '[appearance]\ntheme = "pink"\nlanguage = "xx"\ntext_percent = 500',
        "[appearance]\ntheme = 3\nlanguage = []\ntext_percent = 'big'",
        "[appearance\n",
        "appearance = 1",
    ],
)
def test_what_the_settings_refuse_is_the_default(text: str, path: Path) -> None:
    path.write_text(text, encoding="utf-8")
    assert first_looks(path) == FirstAppearance()
    path.write_bytes(b"appearance \xff")
    assert first_looks(path) == FirstAppearance()


def test_a_missing_file_is_empty_and_other_bytes_name_their_line(tmp_path: Path) -> None:
    assert read_text(tmp_path / "none") == ""
    path = tmp_path / "a.yaml"
    path.write_bytes(b"a: 1\nb: \xff\n")
    with pytest.raises(BadFile) as caught:
        read_text(path)
    assert caught.value.line == 2


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    for read in (read_text, load):
        with pytest.raises(BadFile, match="can't be read"):
            read(tmp_path)


def test_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    settings, rules, prompt = (tmp_path / name for name in ("settings.toml", "routing.yaml", "p.md"))
    settings.write_text("\ufeff[appearance]\ntheme = 'dark'\n", encoding="utf-8")
    assert load(settings).appearance.theme == "dark"
    assert first_looks(settings) == FirstAppearance("dark")
    assert change(settings, [("sending.undo_s", "3")]).appearance.theme == "dark"
    prompt.write_text("\ufeffBe kind.", encoding="utf-8")
    rules.write_text(
        "\ufeffagent:\n  profiles:\n    p: {system_prompt_file: p.md, tools: []}\n"
        "routing:\n  rules:\n    - {name: a, match: {all: true}, route: agent, profile: p}\n",
        encoding="utf-8",
    )
    (rule,), (profile,) = load_routing(rules, None)
    assert (rule.name, profile.system_prompt) == ("a", "Be kind.")
