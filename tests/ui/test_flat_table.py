"""Our own tables are read as TOML reads them; anything else is refused with its line."""

import tomllib

import pytest

from app.config.paths import resource
from app.ui.flat_table import read_flat


@pytest.mark.parametrize("parts", [("themes", "light.toml"), ("themes", "dark.toml"), ("icons", "icons.toml")])
def test_our_tables_are_read_as_toml_reads_them(parts: tuple[str, str]) -> None:
    text = resource(*parts).read_text(encoding="utf-8")
    assert read_flat(text) == tomllib.loads(text)
    assert read_flat(text)


def test_every_kind_of_value_with_and_without_a_comment() -> None:
    text = '# head\n\na = "x # y" # z\nb = 0x1f  # hex\nc = 12\nd = true\ne = false # no\nf = ["p", "q"] # two\n'
    assert read_flat(text) == tomllib.loads(text) == {"a": "x # y", "b": 31, "c": 12, "d": True, "e": False, "f": ["p", "q"]}


@pytest.mark.parametrize(
    "line",
    [
        "a",
        "a=1",
        "a = ",
        'a = "x',
        'a = x"',
        'a = "x" y',
        'a = "\\u0041"',
        "a = 1 2",
        "a = [1]",
        'a = ["x", ]',
        "[table]",
        "a.b = 1",
        "a = 1.5",
    ],
)
def test_what_is_not_in_our_tables_is_refused_with_its_line(line: str) -> None:
    with pytest.raises(ValueError, match=r"\Aline 2: "):
        read_flat(f"# first\n{line}\n")


def test_a_name_stands_once() -> None:
    with pytest.raises(ValueError, match="line 2"):
        read_flat("a = 1\na = 2\n")
