"""The first frame's looks are those that the checked settings say, and defaults where these would complain."""

from pathlib import Path

import pytest

from app.config.appearance import FirstAppearance, first_looks
from app.config.settings import load


def test_without_a_file_or_a_table_they_are_the_defaults(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
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
def test_they_agree_with_the_settings(tmp_path: Path, lines: str) -> None:
    path = tmp_path / "settings.toml"
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
def test_what_the_settings_refuse_is_the_default(tmp_path: Path, text: str) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(text, encoding="utf-8")
    assert first_looks(path) == FirstAppearance()
    path.write_bytes(b"appearance \xff")
    assert first_looks(path) == FirstAppearance()
