"""The number of this machine: the same each time, another elsewhere, and not readable from what is written down."""

import sys
from pathlib import Path

import pytest

from app.config import machine
from app.config.machine import SIZE, this_machine


def test_it_stays_the_same() -> None:
    assert this_machine() == this_machine()
    assert len(this_machine()) in (0, SIZE)


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="files tell it on Linux alone")
def test_another_machine_has_another_and_its_own_number_is_not_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = set()
    for number in ("4f2a", "77c1"):
        (tmp_path / number).write_text(f"{number}\n")
        monkeypatch.setattr(machine, "PLACES", (tmp_path / "none", tmp_path / number))
        assert number not in this_machine()
        told.add(this_machine())
    assert len(told) == 2
    monkeypatch.setattr(machine, "PLACES", (tmp_path / "none",))
    assert this_machine() == ""
