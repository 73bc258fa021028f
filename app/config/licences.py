"""Licences and licence texts of the packages the program consists of.

A packaged program reads them from one file that the build wrote, otherwise they come from the installed packages.
"""

import json
import re
from collections.abc import Iterator
from importlib.metadata import Distribution, distributions
from pathlib import Path

from app.config.paths import resource
from app.domain.record import Record

SHIPPED = ("licenses", "notices.json")
"""Path of the file below the program's resources: a list of objects with the fields of `LicenceNotice`."""
LONGEST = 60
"""Characters. A longer licence field holds the text instead of the name."""
PREFIX = "License :: OSI Approved :: "
SPDX = {
    "apache 2.0": "Apache-2.0",
    "apache license 2.0": "Apache-2.0",
    "apache license version 2.0": "Apache-2.0",
    "apache license, version 2.0": "Apache-2.0",
    "apache software license": "Apache-2.0",
    "bsd 3-clause or apache-2.0": "BSD-3-Clause OR Apache-2.0",
    "3-clause bsd license": "BSD-3-Clause",
    "isc license": "ISC",
    "isc license (iscl)": "ISC",
    "mit license": "MIT",
    "the mit license (mit)": "MIT",
    "mozilla public license 2.0 (mpl 2.0)": "MPL-2.0",
    "python software foundation license": "PSF-2.0",
    "gnu general public license v2 (gplv2)": "GPL-2.0-only",
    "gnu general public license v3 (gplv3)": "GPL-3.0-only",
    "gnu affero general public license v3": "AGPL-3.0-only",
}
"""SPDX identifiers by the names that packages use, in lower case."""
_BSD = {"bsd", "bsd license"}
_NAME = re.compile(r"0BSD|ISC|MIT|Zlib|Unlicense|HPND|[A-Za-z][A-Za-z.+-]*-\d[\w.+-]*(-Clause)?")
_JOINTS = re.compile(r"\s+(?:AND|OR|WITH)\s+|[()]")
_TEXTS = re.compile(
    r'^"?([^",\n]*\.dist-info/[^",\n]*(?:licen[cs]e|copying|notice|copyright|unlicense)[^",\n/]*'
    r'|[^",\n/]+/(?:licen[cs]e|thirdpartynotices)[^",\n/]*)"?,',
    re.IGNORECASE | re.MULTILINE,
)
_FOLDER = re.compile(r"^[^/]*\.dist-info/(licenses/)?")
_CODE = {".py", ".pyc", ".pyi", ".so", ".pyd"}


class LicenceNotice(Record):
    """A package with its licence.

    `licence` is an SPDX expression where one could be determined, else the package's own words or empty; `text` is the licence
    text that came with it, or empty.
    """

    name: str
    version: str
    licence: str
    text: str


def shipped() -> list[LicenceNotice]:
    """Notices of a packaged program. Empty in a source tree or a wheel."""
    try:
        found = json.loads(resource(*SHIPPED).read_bytes())
    except FileNotFoundError:
        return []
    return [LicenceNotice(**one) for one in found]


def installed() -> Iterator[LicenceNotice]:
    """Notices of installed packages, read lazily; all of them take half a second."""
    return map(notice_of, distributions())


def notice_of(one: Distribution) -> LicenceNotice:
    text = licence_text(one)
    return LicenceNotice(one.metadata["Name"] or "", one.version or "", licence_of(one, text), text)


def licence_of(one: Distribution, text: str) -> str:
    """The SPDX expression from metadata, licence field or classifiers; else their own words."""
    meta = one.metadata
    expression = meta.get_all("License-Expression") or ()
    if expression:
        return str(expression[0])
    first = "".join(meta.get_all("License") or ()).strip().splitlines()[:1]
    field = first[0] if first and len(first[0]) <= LONGEST and first[0] != "UNKNOWN" else ""
    classified = [value.removeprefix(PREFIX) for value in meta.get_all("Classifier") or () if value.startswith(PREFIX)]
    meant = [spdx(word, text) for word in classified]
    return spdx(field, text) or (" AND ".join(meant) if all(meant) else "") or field or ", ".join(classified)


def spdx(words: str, text: str) -> str:
    """The SPDX expression for a licence name, empty where unknown. `text` tells which BSD licence it is."""
    plain = words.strip().lower()
    if plain in _BSD:
        return "BSD-3-Clause" if "neither the name" in " ".join(text.lower().split()) else "BSD-2-Clause" if text else ""
    names = [part.strip() for part in _JOINTS.split(words) if part.strip()]
    return SPDX.get(plain, words.strip() if names and all(_NAME.fullmatch(name) for name in names) else "")


def licence_text(one: Distribution) -> str:
    """All licence files of an installed package; several are joined, each below its name."""
    files = sorted(file for file in set(_TEXTS.findall(one.read_text("RECORD") or "")) if Path(file).suffix.lower() not in _CODE)
    paths = {_FOLDER.sub("", file): Path(str(one.locate_file(file))) for file in files}
    texts = {name: path.read_text(encoding="utf-8", errors="replace").strip() for name, path in paths.items() if path.is_file()}
    if len(texts) == 1:
        return next(iter(texts.values()))
    return "\n\n".join(f"{name}\n\n{text}" for name, text in texts.items())
