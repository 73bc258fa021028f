"""YAML with lines: what is asked of a mapping, and where a fault stands."""

from pathlib import Path

import pytest

from app.config.rules.yaml_lines import YamlSection, parse_yaml
from app.domain.error_texts import Cause, ErrorText
from app.domain.errors import BadFile

PATH = Path("a.yaml")
TEXT = """# comment
name: x
count: 3
share: 0.5
inner:
  list: [a, b]
base: &base {a: 1}
merged:
  <<: *base
  b: 2
"""


@pytest.fixture
def document() -> YamlSection:
    found = parse_yaml(TEXT, PATH)
    assert found is not None
    return found


def test_values_are_read_by_kind(document: YamlSection) -> None:
    assert document.text("name") == "x"
    assert document.number("count", 1, 0, 9) == 3
    assert document.number("share", 0.1, 0, 1) == 0.5
    assert document.number("missing", 7, 0, 9) == 7
    inner = document.section("inner")
    assert inner is not None
    assert inner.texts("list", "") == ("a", "b")
    assert document.section("missing") is None
    assert document.names[:2] == ["name", "count"]


def test_lines_are_those_of_the_keys(document: YamlSection) -> None:
    assert [document.line(key) for key in ("name", "inner", "merged")] == [2, 5, 8]
    merged = document.section("merged")
    assert merged is not None
    assert merged.line("a") == merged.line()
    fault = document.error("count", Cause.NOT_TEXT, "count")
    assert (fault.line, fault.text) == (3, ErrorText.of(Cause.NOT_TEXT, "count"))


@pytest.mark.parametrize("text", ["a: [", "- 1", "a: b: c", "a: \x00"])
def test_what_is_no_mapping_is_refused(text: str) -> None:
    with pytest.raises(BadFile):
        parse_yaml(text, PATH)


def test_nothing_is_no_document() -> None:
    assert parse_yaml("# only words\n", PATH) is None


@pytest.mark.parametrize("text", ['a: !!int ""', "a: -0x_", "a:\n- &b\n  c: x\n  <<: *b\n"])
def test_what_the_library_trips_over_is_a_bad_file(text: str) -> None:
    with pytest.raises(BadFile, match="Not valid YAML"):
        parse_yaml(text, PATH)
