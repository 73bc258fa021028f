"""What the program is made of besides its own code: packages, their licences and licence texts.

A packaged program carries them in one file, which the build writes; elsewhere they are read from the installed packages.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, distributions
from pathlib import Path

from app.config.paths import resource

SHIPPED = ("licenses", "notices.json")
"""Where the build puts the file, below the program's resources: a list of objects with the fields of `Notice`."""
LONGEST = 60
"""Characters; a longer licence field holds the text, not the name."""
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
"""What packages call their licences, in small letters, and the names in SPDX's list."""
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


@dataclass(frozen=True, slots=True)
class LicenceNotice:
    """A part of the program. `licence` is an SPDX expression where the part's words could be read as one, and empty where
    it names none; `text` is the licence as it came with the part, empty where none came."""

    name: str
    version: str
    licence: str
    text: str


def shipped() -> list[LicenceNotice]:
    """What the packaged program carries; empty in a source tree or a wheel, which carry nothing but themselves."""
    try:
        found = json.loads(resource(*SHIPPED).read_bytes())
    except FileNotFoundError:
        return []
    return [LicenceNotice(**one) for one in found]


def installed() -> Iterator[LicenceNotice]:
    """What is installed beside the program, one after the other; reading them all takes half a second."""
    return map(notice_of, distributions())


def notice_of(one: Distribution) -> LicenceNotice:
    """What an installed package says of itself."""
    text = licence_text(one)
    return LicenceNotice(one.metadata["Name"] or "", one.version or "", licence_of(one, text), text)


def licence_of(one: Distribution, text: str) -> str:
    """The SPDX expression; else what the licence field, or all the classifiers, mean in SPDX; else their own words."""
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
    """A licence's name in SPDX's words; empty where that is not known. Which BSD licence it is stands in its text."""
    plain = words.strip().lower()
    if plain in _BSD:
        return "BSD-3-Clause" if "neither the name" in " ".join(text.lower().split()) else "BSD-2-Clause" if text else ""
    names = [part.strip() for part in _JOINTS.split(words) if part.strip()]
    return SPDX.get(plain, words.strip() if names and all(_NAME.fullmatch(name) for name in names) else "")


def licence_text(one: Distribution) -> str:
    """All licence files that an installed package brings, each below its name where there are several."""
    files = sorted(file for file in set(_TEXTS.findall(one.read_text("RECORD") or "")) if Path(file).suffix.lower() not in _CODE)
    paths = {_FOLDER.sub("", file): Path(str(one.locate_file(file))) for file in files}
    texts = {name: path.read_text(encoding="utf-8", errors="replace").strip() for name, path in paths.items() if path.is_file()}
    if len(texts) == 1:
        return next(iter(texts.values()))
    return "\n\n".join(f"{name}\n\n{text}" for name, text in texts.items())
