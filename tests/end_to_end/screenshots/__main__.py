"""Pictures of every page of the window in every state, theme and language.

    python3 packaging/dev.py shots [DIR] [--pages review,outbox] [--states busy] [--themes dark] [--languages cs]

Writes DIR/LANGUAGE/THEME/STATE/PAGE.png. One process a language and theme.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from end_to_end.screenshots.places import PLACES  # noqa: E402
from end_to_end.screenshots.states import State  # noqa: E402

LANGUAGES = ("en", "cs")
THEMES = ("light", "dark", "contrast-light", "contrast-dark")
STATES = tuple(str(state) for state in State)


def parser() -> argparse.ArgumentParser:
    """What can be chosen; everything by default."""
    made = argparse.ArgumentParser(prog="packaging/dev.py shots", description="Pictures of every page of the window.")
    made.add_argument("folder", type=Path, nargs="?", default=Path("shots"))
    for name, known in (("pages", tuple(PLACES)), ("states", STATES), ("themes", THEMES), ("languages", LANGUAGES)):
        usual = THEMES[:2] if name == "themes" else known
        made.add_argument(f"--{name}", type=_some_of(known), default=usual, metavar="A,B", help=", ".join(known))
    made.add_argument("--text", type=int, default=100, metavar="PERCENT", help="text size")
    made.add_argument("--size", type=_size, default=(1280, 820), metavar="WxH", help="of the window")
    made.add_argument("--mirrored", action="store_true", help="from right to left, as in Arabic and Hebrew")
    made.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    return made


def main(arguments: Sequence[str]) -> int:
    """Take them, side by side where there are cores; 1 when a process failed."""
    options = parser().parse_args(arguments)
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    started = time.monotonic()
    combinations = [(language, theme) for language in options.languages for theme in options.themes]
    if options.here or len(combinations) == 1:
        from end_to_end.screenshots.taking import take

        for language, theme in combinations:
            take(options, language, theme)
        failed = 0
    else:
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            failed = sum(pool.map(lambda one: _apart(arguments, *one), combinations))
    count = len(combinations) * len(options.states) * len(options.pages)
    print(f"{options.folder}: {count} pictures in {time.monotonic() - started:.0f} s" + (f", {failed} FAILED" if failed else ""))
    return 1 if failed else 0


def _apart(arguments: Sequence[str], language: str, theme: str) -> int:
    """A process of its own; whether it failed."""
    command = [sys.executable, str(Path(__file__).parent), *arguments, "--languages", language, "--themes", theme]
    return int(subprocess.run(command, check=False).returncode != 0)


def _some_of(known: tuple[str, ...]) -> "argparse._ActionType":
    def read(text: str) -> tuple[str, ...]:
        wanted = tuple(part.strip() for part in text.split(",") if part.strip())
        wrong = sorted(set(wanted) - set(known))
        if wrong or not wanted:
            raise argparse.ArgumentTypeError(f"{', '.join(wrong) or 'nothing'} is not one of: {', '.join(known)}")
        return wanted

    return read


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    if not (width.isdigit() and height.isdigit()):
        raise argparse.ArgumentTypeError("such as 1280x820")
    return int(width), int(height)


if __name__ == "__main__":
    code = main(sys.argv[1:])
    sys.stdout.flush()
    os._exit(code)  # the pictures are written; icons of windows that were deleted must not be ended after Qt's application
