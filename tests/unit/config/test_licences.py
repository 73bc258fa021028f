"""What packages say of their licences, and what a packaged program carries."""

import json
import sys
from importlib.metadata import Distribution
from pathlib import Path

import pytest

from app.config.licences import LicenceNotice, notice_of, shipped

THREE = "Redistribution … Neither the\n   name of the author nor …"
TWO = "Redistribution and use …"


def package(folder: Path, *headers: str, **texts: str) -> Distribution:
    """An installed package with these headers and licence files."""
    home = folder / "thing-1.0.dist-info"
    home.mkdir(parents=True)
    (home / "METADATA").write_text("\n".join(("Metadata-Version: 2.1", "Name: thing", "Version: 1.0", *headers, "", "")))
    for name, text in texts.items():
        (home / "licenses").mkdir(exist_ok=True)
        (home / "licenses" / name).write_text(text)
    record = ["thing/__init__.py,,", "thing/licenses.py,,", *(f"{home.name}/licenses/{name},," for name in texts)]
    (home / "RECORD").write_text("\n".join((*record, f"{home.name}/RECORD,,", "")))
    return Distribution.at(home)


@pytest.mark.parametrize(
    ("headers", "text", "licence"),
    [
        (["License-Expression: MIT OR Apache-2.0", "License: other"], "", "MIT OR Apache-2.0"),
        (["License: Apache License, Version 2.0"], "", "Apache-2.0"),
        (["License: LGPL-3.0-only OR GPL-2.0-only"], "", "LGPL-3.0-only OR GPL-2.0-only"),
        (["License: ISC", "Classifier: License :: OSI Approved :: BSD License"], "", "ISC"),
        (["License: Dual License", "Classifier: License :: OSI Approved :: MIT License"], "", "MIT"),
        (["Classifier: License :: OSI Approved :: BSD License"], THREE, "BSD-3-Clause"),
        (["License: BSD"], TWO, "BSD-2-Clause"),
        (["License: BSD"], "", "BSD"),
        (["License: do what you like"], "", "do what you like"),
        (["License: UNKNOWN"], TWO, ""),
        ([], "", ""),
    ],
)
def test_a_licence_is_read_not_guessed(tmp_path: Path, headers: list[str], text: str, licence: str) -> None:
    found = notice_of(package(tmp_path, *headers, **({"LICENSE": text} if text else {})))
    assert found == LicenceNotice("thing", "1.0", licence, text)


def test_a_packaged_program_tells_what_it_was_built_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert shipped() == [], "a source tree carries none"
    (tmp_path / "resources" / "licenses").mkdir(parents=True)
    one = {"name": "thing", "version": "1.0", "licence": "MIT", "text": "Permission …"}
    (tmp_path / "resources" / "licenses" / "notices.json").write_text(json.dumps([one]), encoding="utf-8")
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
    assert shipped() == [LicenceNotice("thing", "1.0", "MIT", "Permission …")]
