"""Writes what has to go along with a packaged Replyroom: notices of others' work, licence texts and a list of all parts (SBOM).

    python packaging/notices.py FOLDER [--bundle FOLDER]

Runs in the environment that is packaged and reads what is installed there: Python, and the packages that the project needs on
this system, in the versions of requirements.lock. With --bundle only those packages count whose records lie in that folder of a
frozen program, and a stranger among them is an error. Into FOLDER go THIRD-PARTY-NOTICES.txt for people, notices.json for the
window, sbom.cdx.json (CycloneDX 1.6), LGPL-3, GPL-3 and NOTICE-Qt; the same packages give the same bytes. A package without a
licence or a licence text, or under a licence that may not be shipped, ends it with a sentence, and nothing is written.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import tomllib
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution, distributions
from pathlib import Path

from app.domain.record import asdict, replace

ROOT = Path(__file__).resolve().parents[1]
TEXTS = Path(__file__).resolve().parent / "licenses"
sys.path.insert(0, str(ROOT))

try:
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator
    from license_expression import ExpressionError, LicenseExpression, get_spdx_licensing
    from packaging.requirements import Requirement
    from packaging.utils import canonicalize_name

    from app.config.licences import LicenceNotice, notice_of
except ImportError as error:
    raise SystemExit(f"{error}: run this with the Python of an environment that was installed from requirements.lock.") from error

MAY_SHIP = {
    "0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "CC0-1.0", "CNRI-Python", "HPND", "ISC", "LGPL-2.1-only",
    "LGPL-2.1-or-later", "LGPL-3.0-only", "LGPL-3.0-or-later", "LicenseRef-SCOWL", "MIT", "MIT-0", "MIT-CMU", "MPL-1.1",
    "MPL-2.0", "OFL-1.1", "PSF-2.0", "Python-2.0", "Unlicense", "Zlib", "GPL-2.0-or-later WITH Bootloader-exception",
}  # fmt: skip
"""SPDX names of licences whose terms a packaged Replyroom keeps: permissive ones, and those that ask for a library's sources."""
ALONGSIDE = ("LGPL-3", "GPL-3", "NOTICE-Qt")
BOOTLOADER = "pyinstaller"
"""The start of a frozen program comes from the tool that froze it, which isn't a package of the program."""
SOURCES = ("source", "source code", "repository", "source_archive", "github", "code", "homepage", "home", "documentation")
"""How packages label the address of their sources, the best first."""
RULE = "=" * 80
LICENSING = get_spdx_licensing()


class Unfit(Exception):
    """All that keeps the program from being shipped, a sentence each."""


@dataclass(frozen=True, slots=True)
class Part:
    """Something the program is made of; `needs` are names of other parts, `source` is an address, empty where none is known."""

    notice: LicenceNotice
    purl: str
    source: str
    needs: tuple[str, ...] = ()


def needed() -> dict[str, tuple[Distribution, tuple[str, ...]]]:
    """Canonical names of the packages that the project needs on this system, each with what it needs itself."""
    told = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    left_out = set(map(canonicalize_name, told["tool"]["uv"]["exclude-dependencies"]))
    waiting = [Requirement(line) for line in told["project"]["dependencies"]]
    extras: dict[str, set[str]] = {}
    found: dict[str, tuple[Distribution, tuple[str, ...]]] = {}
    while waiting:
        asked = waiting.pop()
        name = canonicalize_name(asked.name)
        if name in found and asked.extras <= extras[name]:
            continue
        extras[name] = extras.get(name, set()) | asked.extras
        one = installed(name)
        below = [Requirement(line) for line in one.requires or ()]
        below = [each for each in below if applies(each, extras[name]) and canonicalize_name(each.name) not in left_out]
        found[name] = (one, tuple(sorted({canonicalize_name(each.name) for each in below})))
        waiting += below
    return dict(sorted(found.items()))


def installed(name: str) -> Distribution:
    """An installed package. Raises `Unfit`."""
    try:
        return distribution(name)
    except PackageNotFoundError as error:
        raise Unfit(f"{name} is needed but not installed here: install requirements.lock first.") from error


def applies(asked: Requirement, extras: set[str]) -> bool:
    """Whether something is needed on this system, with these extras."""
    return asked.marker is None or any(asked.marker.evaluate({"extra": extra}) for extra in extras | {""})


def pins() -> dict[str, set[str]]:
    """The versions that the lock allows; some packages have one for each Python."""
    found: dict[str, set[str]] = {}
    for name, version in re.findall(
        r"^([\w.-]+)==([^\s;\\]+)", (ROOT / "requirements.lock").read_text(encoding="utf-8"), re.MULTILINE
    ):
        found.setdefault(canonicalize_name(name), set()).add(version)
    return found


def bundled(folder: Path) -> set[str]:
    """Canonical names of the packages whose records lie in a frozen program."""
    return {canonicalize_name(one.metadata["Name"]) for one in distributions(path=[str(folder)])}


def source_of(one: Distribution) -> str:
    """The address that a package gives for its sources, else its home page."""
    listed = [line.partition(",") for line in one.metadata.get_all("Project-URL") or ()]
    named = {label.strip().lower(): address.strip() for label, _, address in listed}
    found = next((named[label] for label in SOURCES if label in named), "")
    return found or "".join(one.metadata.get_all("Home-page") or ())


def python_part() -> Part:
    """The interpreter, whose licence lies beside its library, or above it."""
    library = Path(os.__file__).parent
    places = [folder / name for folder in (library, library.parent) for name in ("LICENSE.txt", "LICENSE")]
    text = next((place.read_text(encoding="utf-8").strip() for place in places if place.is_file()), "")
    version = ".".join(str(part) for part in sys.version_info[:3])
    return Part(
        LicenceNotice("Python", version, "PSF-2.0", text),
        f"pkg:generic/python@{version}",
        "https://www.python.org/downloads/source/",
    )


def bootloader_part() -> Iterator[Part]:
    """What PyInstaller puts in front of a frozen program, if it is here: its own terms let any program be frozen."""
    try:
        one = distribution(BOOTLOADER)
    except PackageNotFoundError:
        return
    told = replace(notice_of(one), name="PyInstaller bootloader", licence="GPL-2.0-or-later WITH Bootloader-exception")
    yield Part(told, f"pkg:pypi/{BOOTLOADER}@{one.version}", source_of(one))


def parts(bundle: Path | None) -> list[Part]:
    """Everything the program is made of but itself. Raises `Unfit` with all that is wrong."""
    wanted, locked, decided = needed(), pins(), decisions()
    inside = bundled(bundle) if bundle else set(wanted)
    wrong = [f"{name} is in the frozen program, which does not need it." for name in sorted(inside - set(wanted) - {"replyroom"})]
    made = [python_part(), *bootloader_part()]
    for name, (one, below) in wanted.items():
        if name not in inside:
            continue
        if one.version not in locked.get(name, set()):
            wrong.append(f"{name} {one.version} is installed, which is not what requirements.lock says: install that first.")
        notice, beneath = judged(name, notice_of(one), decided), tuple(sorted({*below} & inside))
        source = str(decided.get(name, {}).get("source", source_of(one)))
        made.append(Part(notice, f"pkg:pypi/{name}@{one.version}", source, beneath))
    wrong += [sentence for part in made for sentence in faults(part.notice)]
    if wrong:
        raise Unfit("\n".join(wrong))
    return made


def decisions() -> dict[str, dict[str, object]]:
    """What was decided about a package, by its canonical name."""
    told = tomllib.loads((TEXTS / "decided.toml").read_text(encoding="utf-8"))
    return {name: one for one in told["decided"] for name in one["packages"]}


def judged(name: str, notice: LicenceNotice, decided: dict[str, dict[str, object]]) -> LicenceNotice:
    """A package's notice, with what was decided about it."""
    one = decided.get(name, {})
    texts = [notice.text, *(own_text(file, notice.version) for file in one.get("texts", ()))]
    return replace(notice, licence=one.get("licence", notice.licence), text="\n\n".join(text for text in texts if text))


def own_text(file: str, version: str) -> str:
    """One of our licence files; the notice about Qt says where the sources of this version are."""
    text = (TEXTS / file).read_text(encoding="utf-8").strip("\n")
    return text.replace("@VERSION@", version).replace("@MINOR@", ".".join(version.split(".")[:2]))


def faults(notice: LicenceNotice) -> Iterator[str]:
    """Why a part may not go out."""
    what = f"{notice.name} {notice.version}"
    if not notice.licence:
        yield f"{what} names no licence: read its files and say in packaging/licenses/decided.toml what they say."
    elif not may_ship(notice.licence):
        yield f"{what} is under “{notice.licence}”, which is not among the licences that may be shipped with Replyroom."
    if not notice.text:
        yield f"{what} brings no licence text: name one in packaging/licenses/decided.toml."


def may_ship(licence: str) -> bool:
    """Whether an SPDX expression leaves a choice that may be shipped. Other texts may not."""
    try:
        return allows(LICENSING.parse(licence))
    except ExpressionError:
        return False


def allows(node: LicenseExpression) -> bool:
    """All of what is joined by AND, one of what is joined by OR."""
    if node.isliteral:
        return str(node) in MAY_SHIP
    every = isinstance(node, LICENSING.AND)
    return (all if every else any)(allows(each) for each in node.args)


def notices_text(made: list[Part]) -> str:
    """All notices, to be read."""
    heading = "Replyroom is made with the work of others. What follows names it, with its licences.\n"
    listed = [f"{part.notice.name} {part.notice.version}: {part.notice.licence}" for part in made]
    heads = [f"{line}\n{part.source}".strip() for line, part in zip(listed, made, strict=True)]
    texts = [f"{RULE}\n{head}\n{RULE}\n\n{part.notice.text}\n" for head, part in zip(heads, made, strict=True)]
    return "\n".join([heading, *listed, "", *texts])


def sbom(made: list[Part]) -> str:
    """The list of parts in CycloneDX's words. Raises `Unfit` where it is not valid."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    itself = {"type": "application", "bom-ref": project["name"], "name": project["name"], "version": project["version"]}
    components = [component(part) for part in made]
    refs = {re.sub(r"^pkg:\w+/|@.*$", "", part.purl): part.purl for part in made}
    below = [{"ref": part.purl, "dependsOn": sorted(refs[name] for name in part.needs)} for part in made]
    content = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {**itself, "licenses": [{"license": {"id": project["license"]}}]}},
        "components": components,
        "dependencies": [{"ref": project["name"], "dependsOn": sorted(refs.values())}, *below],
    }
    content["serialNumber"] = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(content, sort_keys=True)).urn
    text = json.dumps(content, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
    wrong = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if wrong is not None:
        raise Unfit(f"The list of parts is not valid: {wrong.data.message}")
    return text


def component(part: Part) -> dict[str, object]:
    """One part as CycloneDX names it; a single licence by its name, several as an expression."""
    told = part.notice
    licence = {"license": {"id": told.licence}} if " " not in told.licence else {"expression": told.licence}
    ours = {"type": "library", "bom-ref": part.purl, "purl": part.purl, "name": told.name, "version": told.version}
    return {**ours, "licenses": [licence]}


def write(folder: Path, made: list[Part]) -> None:
    """All files; the notice about Qt in the version that is shipped."""
    files = {"THIRD-PARTY-NOTICES.txt": notices_text(made), "sbom.cdx.json": sbom(made)}
    told = [asdict(part.notice) for part in made]
    files["notices.json"] = json.dumps(told, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    version = next((part.notice.version for part in made if part.notice.name == "PySide6_Essentials"), "")
    if version:
        files |= {name: own_text(name, version) + "\n" for name in ALONGSIDE}
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")


def main(arguments: list[str]) -> int:
    """Write the files, or say what keeps them from being written."""
    parser = argparse.ArgumentParser(description="Notices, licence texts and a CycloneDX list of what Replyroom is made of.")
    parser.add_argument("folder", type=Path, help="where the files go")
    parser.add_argument("--bundle", type=Path, help="the folder of a frozen program that holds the packages' records")
    options = parser.parse_args(arguments)
    try:
        made = parts(options.bundle)
        write(options.folder, made)
    except Unfit as error:
        print(f"The notices were not written.\n{error}", file=sys.stderr)
        return 1
    print(f"{options.folder}: notices of {len(made)} parts")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
