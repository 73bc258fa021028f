"""Settings, rules and profiles of wrong kinds: each ends at once with file, line and remedy."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from app.config.appearance import FirstAppearance, first_looks
from app.config.rules.profiles import load_routing
from app.config.settings import load
from app.config.user_files import LARGEST_BYTES
from app.domain.errors import BadFile

PROFILE = "agent:\n  profiles:\n    p:\n      system_prompt_file: p.md\n      tools: []\n"
SETTINGS: dict[str, tuple[str | bytes, int]] = {
    "table as number": ("sending = 3\n", 1),
    "array of tables": ("[[sending]]\nundo_s = 3\n", 1),
    "switch as number": ("[sending]\nundo_s = true\n", 2),
    "fraction": ("[sending]\nundo_s = 1.5\n", 2),
    "no number": ("[model]\nmonthly_usd = nan\n", 2),
    "date": ("[calendar]\nstart = 2026-11-28\n", 2),
    "number of 5000 digits": (f"[appearance]\ntext_percent = 1{'0' * 5000}\n", 2),
    "unknown table": ("\n[nonsense]\na = 1\n", 2),
    "quoted key": ("[sending]\n'undo_s' = 'a'\n", 2),
    "quoted table": ('["sending"]\nundo_s = "a"\n', 2),
    "unknown key with a space": ('\n[sending]\n"un do" = 3\n', 2),
    "inline table": ("\nsending = {undo_s = 'a'}\n", 2),
    "unknown key in an inline table": ("\nsending = {undo = 1}\n", 2),
    "key twice": ("[sending]\nundo_s = 1\nundo_s = 2\n", 3),
    "table twice": ("[sending]\nundo_s = 1\n[sending]\n", 3),
    "open text": ('[model]\nname = """x\n', 3),
    "deep arrays": (f"\n\n[appearance]\ntheme = {'[' * 3000}", 4),
    "deep tables": (f"\nappearance = {'{a=' * 3000}", 2),
    "deep keys": (f"a{'.a' * 3000} = 1\n", 1),
    "YAML": ("sending:\n  undo_s: 3\n", 1),
    "JSON": ('{"sending": {"undo_s": 3}}', 1),
    "a picture": (b"\x89PNG\r\n\x1a\n" + bytes(100), 1),
    "zeros after the text": (b"[sending]\nundo_s = 3\n\0\0\0", 3),
    "UTF-16": ("[sending]\n".encode("utf-16"), 1),
    "UTF-32": ("[sending]\n".encode("utf-32"), 1),
    "Latin-1": ("[model]\nname = 'é'\n".encode("latin-1"), 2),
    "half a surrogate pair": (b"[model]\nname = '\xed\xa0\x80'\n", 2),
    "control character": ("[model]\nname = 'a\a'\n", 2),
    "old line ends": ("[sending]\rundo_s = 'ten'\r", 2),
    "time zone outside": ("[calendar]\ntime_zone = '../../etc/passwd'\n", 2),
}
RULES: dict[str, tuple[str | bytes, int]] = {
    "text on top": ("only words\n", 1),
    "rule as text": ("routing:\n  rules:\n    - hello\n", 3),
    "rule of nothing": ("routing:\n  rules:\n    -\n", 3),
    "name as list": ("routing:\n  rules:\n    - name: [a]\n", 3),
    "list as key": ("? [a]\n: 1\n", 1),
    "tab": ("routing:\n\trules: []\n", 2),
    "TOML": ("[sending]\nundo_s = 3\n", 2),
    "two documents": ("routing: {}\n---\nrouting: {}\n", 2),
    "key twice": ("routing: {}\nrouting: {}\n", 2),
    "unknown alias": ("\nrouting: *x\n", 2),
    "merged text": ("routing:\n  <<: a\n", 2),
    "tag of Python": ("routing: !!python/object/apply:os.system [ls]\n", 1),
    "tag of a switch": ("\nrouting: !!bool x\n", 2),
    "deep brackets": (f"\na: {'[' * 5000}", 2),
    "deep mappings": (f"\n{'{a: ' * 2000}", 2),
    "deep lines": ("".join(f"{' ' * depth}a:\n" for depth in range(1200)), 1200),
    "Latin-1": ("\na: \xe9\n".encode("latin-1"), 2),
    "zero": (b"a: 1\n\0\n", 2),
    "number of 5000 digits": (f"routing:\n  rules:\n    - name: 1{'0' * 5000}\n", 3),
    "profile as text": ("agent:\n  profiles:\n    p: x\n", 3),
    "prompt with a zero": (PROFILE.replace("p.md", '"a\\0b"'), 4),
    "prompt of a long name": (PROFILE.replace("p.md", "a" * 5000), 4),
    "prompt of nobody": (PROFILE.replace("p.md", "~nobody-of-that-name/p.md"), 4),
    "prompt is a folder": (PROFILE.replace("p.md", "."), 4),
    "no number": (f"{PROFILE}      temperature: .nan\n", 6),
    "port out of range": (f"{PROFILE}      mcp_servers:\n        s: {{url: 'https://a.example:99999/'}}\n", 7),
}


def pipe(path: Path) -> None:
    os.mkfifo(path)


def loop(path: Path) -> None:
    path.symlink_to(path)


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def huge(path: Path) -> None:
    path.write_text("# c\n" * (LARGEST_BYTES // 4 + 1))


PLACES: dict[str, Callable[[Path], None]] = {"folder": Path.mkdir, "pipe": pipe, "loop": loop, "endless": endless, "huge": huge}
CASES = [
    *(("settings.toml", name, content, line) for name, (content, line) in SETTINGS.items()),
    *(("routing.yaml", name, content, line) for name, (content, line) in RULES.items()),
    *((file, name, make, 0) for file in ("settings.toml", "routing.yaml") for name, make in PLACES.items()),
]


@pytest.mark.parametrize(("file", "name", "content", "line"), CASES, ids=[f"{file}: {name}" for file, name, *_ in CASES])
def test_every_wrong_kind_ends_with_file_line_and_remedy(
    tmp_path: Path, file: str, name: str, content: str | bytes | Callable[[Path], None], line: int
) -> None:
    path = tmp_path / file
    (tmp_path / "p.md").write_text("Be kind.")
    if callable(content):
        content(path)
    else:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(BadFile) as caught:
        load(path) if file == "settings.toml" else load_routing(path, None)
    assert (caught.value.path, caught.value.line) == (str(path), line), caught.value
    cause, _, remedy = caught.value.detail.partition(". ")
    assert remedy or "for example" in cause, caught.value
    assert first_looks(path) == FirstAppearance()
