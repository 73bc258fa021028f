"""The chore that takes pictures: an unusual combination, in a process of its own."""

import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from end_to_end.screenshots.__main__ import parser


def test_a_few_pages_in_one_unusual_combination(root: Path, tmp_path: Path) -> None:
    choice = ["--pages", "outbox,memory", "--states", "busy", "--themes", "dark", "--languages", "cs", "--text", "150"]
    shots = root / "tests" / "end_to_end" / "screenshots"
    command = [sys.executable, str(shots), str(tmp_path), *choice, "--size", "900x700", "--mirrored"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    folder = tmp_path / "cs" / "dark" / "busy"
    assert sorted(file.name for file in folder.iterdir()) == ["memory.png", "outbox.png"]
    pictures = [QImage(str(file)) for file in sorted(folder.iterdir())]
    assert all((one.width(), one.height()) == (900, 700) for one in pictures)
    assert pictures[0] != pictures[1]
    assert all(one.pixelColor(2, 2).lightness() < 80 for one in pictures)


@pytest.mark.parametrize("words", [["--pages", "nowhere"], ["--states", ""], ["--size", "big"]])
def test_an_unknown_choice_is_named(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parser().parse_args(words)
    assert words[0] in capsys.readouterr().err
