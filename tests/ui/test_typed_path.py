"""What somebody types is a path, or no file; it is never a fault."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.ui.typed_path import is_file, typed_path


@given(st.text(max_size=300))
def test_anything_can_be_typed(words: str) -> None:
    assert is_file(typed_path(words)) in (True, False)


def test_the_users_own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path))
    (tmp_path / "client.json").touch()
    assert typed_path(" ~/client.json ") == tmp_path / "client.json"
    assert is_file(typed_path("~/client.json"))
    assert not is_file(typed_path("~nobody-of-this-name/client.json"))
    assert not is_file(typed_path("x" * 5000))
