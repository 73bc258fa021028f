"""The command line: what is understood, and what is refused with words."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.cli.arguments import parser, written_to
from app.config.paths import DataFolder
from app.main import engine_command, main


def test_no_command_means_the_window() -> None:
    options = parser().parse_args([])
    assert options.command is None


def test_demo_options() -> None:
    options = parser().parse_args(
        ["demo", "--headless", "--report", "r.json", "--mbox", "m.mbox", "--me", "a@b.example", "--triage-all"]
    )
    assert (options.headless, options.report, options.mbox, options.me) == (True, Path("r.json"), Path("m.mbox"), "a@b.example")
    assert options.triage_all
    assert options.shots is None


WRONG = [
    ["nonsense"],
    ["engine"],
    ["demo", "--limit-s", "soon"],
    ["demo", "--limit-s", "nan"],
    ["audit", "export", "--days", "9999999999"],
    ["pharmacy", "generate", "a.csv", "--rows", "-1"],
]


@pytest.mark.parametrize("words", WRONG)
def test_what_is_not_understood_ends_with_usage(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        parser().parse_args(words)
    assert caught.value.code == 2
    assert "usage: replyroom" in capsys.readouterr().err


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("Replyroom ")


def test_the_engine_is_started_with_this_interpreter(tmp_path: Path) -> None:
    assert engine_command(DataFolder(tmp_path)) == [sys.executable, "-m", "app", "engine", "--data", str(tmp_path)]


def test_demo_refuses_a_folder_with_something_in_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.txt").write_text("keep", encoding="utf-8")
    for words in (["demo", "--headless", "--data", str(tmp_path)], ["--data", str(tmp_path), "demo", "--headless"]):
        assert main(words) == 2
        assert "not empty" in capsys.readouterr().err
    assert (tmp_path / "mine.txt").read_text(encoding="utf-8") == "keep"


def test_demo_names_a_missing_mbox(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--headless", "--mbox", str(tmp_path / "none.mbox")]) == 2
    assert "no such file" in capsys.readouterr().err


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
