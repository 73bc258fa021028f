"""The READMEs of the packages name things that exist."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TEXTS = {".py", ".toml", ".yaml", ".yml", ".qss", ".ts"}
IDENTIFIER = re.compile(r"[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+|_?[a-zA-Z]\w*_\w+")
"""A class in capitals or a name with an underscore; other words in backticks may be plain values."""


def known_words() -> set[str]:
    words: set[str] = set()
    for folder in ("app", "tests", "resources", "packaging"):
        for path in (ROOT / folder).rglob("*"):
            words |= set(re.findall(r"\w+", path.stem))
            if path.suffix in TEXTS and path != Path(__file__):
                words |= set(re.findall(r"\w+", path.read_text(encoding="utf-8")))
    return words


def test_names_in_package_readmes_exist() -> None:
    known = known_words()
    unknown = []
    for readme in sorted((ROOT / "app").rglob("README.md")):
        prose = re.sub(r"```.*?```", "", readme.read_text(encoding="utf-8"), flags=re.DOTALL)
        for code in re.findall(r"`([^`]+)`", prose):
            names = [name for name in re.findall(r"\w+", code) if IDENTIFIER.fullmatch(name)]
            unknown += [f"{readme.relative_to(ROOT)}: {name}" for name in names if name not in known]
    assert not unknown
