"""The command line: what is understood, and what is refused with words."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.cli.arguments import parser, written_to


def test_demo_options() -> None:
    options = parser().parse_args(
        ["demo", "--headless", "--report", "r.json", "--mbox", "m.mbox", "--me", "a@b.example", "--triage-all"]
    )
    assert (options.headless, options.report, options.mbox, options.me) == (True, Path("r.json"), Path("m.mbox"), "a@b.example")
    assert options.triage_all
    assert options.shots is None


def test_without_a_display_demo_says_so(root: Path, tmp_path: Path) -> None:
    """Refused for its folder, so that it ends at once; the word about the display comes first."""
    (tmp_path / "mine.txt").write_text("keep", encoding="utf-8")
    environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    command = [sys.executable, "-m", "app", "demo", "--data", str(tmp_path)]
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "There is no display" in done.stderr


@pytest.mark.parametrize(
    ("words", "rest", "address"),
    [
        (["mailto:a@b.example"], [], "mailto:a@b.example"),
        (["--data", "x", "MAILTO:a@b.example?subject=x"], ["--data", "x"], "MAILTO:a@b.example?subject=x"),
        (["window", "mailto:"], ["window"], "mailto:"),
        (["import", "mailto:x"], ["import", "mailto:x"], ""),
        (["--data", "x"], ["--data", "x"], ""),
    ],
)
def test_a_mail_address_at_the_end_opens_the_window(words: list[str], rest: list[str], address: str) -> None:
    assert written_to(words) == (rest, address)
    parser().parse_args(rest)
