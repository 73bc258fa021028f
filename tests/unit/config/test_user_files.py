"""Files that the user edits: whatever an editor leaves is read, or told with its place."""

from pathlib import Path

import pytest

from app.config.appearance import FirstAppearance, first_looks
from app.config.rules.profiles import load_routing
from app.config.settings import load
from app.config.settings_file import change
from app.config.user_files import read_text
from app.domain.errors import BadFile


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
