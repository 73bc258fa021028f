"""Makes the packages for Linux out of the frozen program: icons, man page, AppStream data, changelog, then nfpm.

Names no owner of its own: whoever builds a package is its maintainer.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import tomllib
from datetime import UTC, datetime
from pathlib import Path
from string import Template
from textwrap import fill

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
LINUX = HERE / "linux"
RECOMMENDED = ("xdg-utils", "gnome-keyring | kwalletmanager | keepassxc", "fonts-noto-core", "fonts-noto-color-emoji")
"""What opens links and keeps secrets, and letters and signs that mail is written with."""


def version() -> str:
    """The program's, of pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["version"])


def libraries() -> dict[str, dict[str, list[str]]]:
    """The table of libraries that the system brings."""
    found: dict[str, dict[str, list[str]]] = tomllib.loads((LINUX / "libraries.toml").read_text(encoding="utf-8"))
    return found


def maintainer() -> str:
    """Name and address of whoever builds: DEBFULLNAME and DEBEMAIL, or git's."""

    def told(variable: str, key: str) -> str:
        asked = subprocess.run(["git", "config", key], cwd=ROOT, capture_output=True, text=True, check=False)
        return os.environ.get(variable) or asked.stdout.strip()

    name, address = told("DEBFULLNAME", "user.name"), told("DEBEMAIL", "user.email")
    if not name or not address:
        raise SystemExit("Set DEBFULLNAME and DEBEMAIL: a package names who made it.")
    return f"{name} <{address}>"


def moment() -> datetime:
    """When the sources were last changed, so that the same sources give the same package: SOURCE_DATE_EPOCH, or git's word."""
    told = os.environ.get("SOURCE_DATE_EPOCH", "")
    if not told:
        asked = ["git", "log", "-1", "--format=%ct"]
        told = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    return datetime.fromtimestamp(int(told), UTC)


def newest_changes() -> list[str]:
    """The changelog's newest part, an entry a line."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    part = re.split(r"^## .*$", text, flags=re.MULTILINE)[1]
    return [" ".join(entry.split()) for entry in re.split(r"^- ", part, flags=re.MULTILINE)[1:]]


def make_files(made: Path, python: Path, licences: Path) -> None:
    """Everything that is not in the bundle and not ready in the sources."""
    made.mkdir(parents=True, exist_ok=True)
    when = moment()
    for name in ("replyroom.metainfo.xml", "replyroom.1"):
        text = (LINUX / name).read_text(encoding="utf-8").replace("@VERSION@", version()).replace("@DATE@", f"{when:%Y-%m-%d}")
        _write(made / name, text)
    entries = "".join(fill(entry, 78, initial_indent="  * ", subsequent_indent="    ") + "\n" for entry in newest_changes())
    stamp = f"{when:%a, %d %b %Y %H:%M:%S +0000}"
    log = f"replyroom ({version()}-1) unstable; urgency=medium\n\n{entries}\n -- {maintainer()}  {stamp}\n"
    _write(made / "changelog.Debian", log)
    _write(made / "copyright", _copyright(licences))
    for name in ("replyroom.1", "changelog.Debian"):
        (made / f"{name}.gz").write_bytes(gzip.compress((made / name).read_bytes(), 9, mtime=0))
    surroundings = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    icons = [python, HERE / "icons.py", "--hicolor", made / "icons"]
    subprocess.run(icons, check=True, env=surroundings)


def filled(bundle: Path, made: Path) -> str:
    """nfpm's file with everything put in."""
    known = libraries()
    sonames = sorted(name for names in known["needed"].values() for name in names)
    words = {
        "version": version(),
        "maintainer": json.dumps(maintainer()),
        "mtime": f"{moment():%Y-%m-%dT%H:%M:%SZ}",
        "bundle": str(bundle),
        "made": str(made),
        "here": str(LINUX),
        "depends": json.dumps(sorted(known["needed"])),
        "recommends": json.dumps([*sorted(known["recommended"]), *RECOMMENDED]),
        "sonames": json.dumps([f"{name}()(64bit)" for name in sonames]),
    }
    return Template((LINUX / "nfpm.yaml").read_text(encoding="utf-8")).substitute(words)


def package(kind: str, bundle: Path, made: Path, target: Path, python: Path) -> Path:
    """The package of a kind that nfpm knows: deb, rpm or archlinux."""
    file = made / "nfpm.yaml"
    _write(file, filled(bundle, made))
    before = {path: path.stat().st_mtime_ns for path in target.iterdir()}
    command = [python.with_name("nfpm"), "package", "--config", file, "--packager", kind, "--target", f"{target}/"]
    subprocess.run(command, check=True)
    return next(path for path in target.iterdir() if path.is_file() and before.get(path) != path.stat().st_mtime_ns)


def _copyright(licences: Path) -> str:
    """Debian's file: our licence, and where those of all other parts lie."""
    ours = (ROOT / "LICENSE").read_text(encoding="utf-8")
    where = f"/usr/lib/replyroom/_internal/resources/{licences.name}"
    return (
        f"Replyroom is under the MIT licence:\n\n{ours}\n"
        "It comes with parts by others, each under its own licence. Their names, versions,\n"
        f"licences and texts are in {where}/THIRD-PARTY-NOTICES.txt,\n"
        f"and as a list for programs in {where}/sbom.cdx.json.\n\n"
        "Qt and Qt for Python are used under the GNU Lesser General Public License, version 3:\n"
        f"{where}/LGPL-3, {where}/GPL-3 and {where}/NOTICE-Qt;\n"
        "see also /usr/share/common-licenses/LGPL-3 and /usr/share/common-licenses/GPL-3.\n"
    )


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")
