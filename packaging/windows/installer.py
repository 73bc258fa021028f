"""Makes the Windows installer of a frozen Replyroom; needs NSIS 3, on Windows or on Linux.

    python packaging/windows/installer.py PAYLOAD FOLDER [--target amd64-unicode]

PAYLOAD is what PyInstaller froze on Windows: replyroom.exe beside _internal. Into FOLDER goes Replyroom-VERSION-setup.exe. The
installer is not signed: Windows asks before it runs one that came from the network.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
INSIDE = {"replyroom.exe", "_internal"}
"""What the uninstaller takes away again, by name."""
sys.path.insert(0, str(HERE.parent))

import icons  # noqa: E402  beside this file's folder


def version() -> str:
    """The program's, of pyproject.toml."""
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])


def four_numbers(version: str) -> str:
    """A version as Windows wants it: 1.2rc3 is 1.2.0.0, because it comes before 1.2.0.1."""
    release = re.match(r"\d+(\.\d+)*", version)
    if release is None:
        raise SystemExit(f"pyproject.toml has the version {version!r}, which begins with no number.")
    return ".".join([*release[0].split("."), "0", "0", "0"][:4])


def compiler() -> str:
    """NSIS's compiler: on the path, or where its own installer puts it."""
    places = [Path(os.environ.get(name, "/nonexistent")) / "NSIS" for name in ("ProgramFiles(x86)", "ProgramFiles")]
    found = shutil.which("makensis") or next(
        (str(place / "makensis.exe") for place in places if (place / "makensis.exe").exists()), ""
    )
    if not found:
        raise SystemExit("makensis was not found: install NSIS 3 (on Debian: apt install nsis).")
    return found


def make(payload: Path, folder: Path, target: str = "") -> Path:
    """Compile the installer; every warning is an error. Ends with a sentence where something is missing."""
    names = {path.name for path in payload.iterdir()} if payload.is_dir() else set()
    if names != INSIDE:
        told = ", ".join(sorted(names)) or "nothing"
        raise SystemExit(
            f"{payload} should hold replyroom.exe and _internal, and holds {told}: freeze the program on Windows first."
        )
    folder.mkdir(parents=True, exist_ok=True)
    output = folder.resolve() / f"Replyroom-{version()}-setup.exe"
    with tempfile.TemporaryDirectory() as scratch:
        icons.write(Path(scratch))
        given = {"VERSION": version(), "FOUR_NUMBERS": four_numbers(version()), "PAYLOAD": payload.resolve(), "OUTPUT": output}
        given |= {"ICON": Path(scratch) / "replyroom.ico"} | ({"TARGET": target} if target else {})
        defines = [f"-D{name}={value}" for name, value in given.items()]
        command = [compiler(), "-WX", "-V2", "-INPUTCHARSET", "UTF8", *defines, str(HERE / "installer.nsi")]
        if subprocess.run(command, cwd=HERE, check=False).returncode != 0:
            raise SystemExit("The installer was not made; makensis says above why.")
    return output


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="The Windows installer of a frozen Replyroom.")
    parser.add_argument("payload", type=Path, help="the frozen program: replyroom.exe and _internal")
    parser.add_argument("folder", type=Path, help="where the installer goes")
    parser.add_argument("--target", default="", help="NSIS's kind of installer, as in its Target command")
    options = parser.parse_args()
    made = make(options.payload, options.folder, options.target)
    print(f"{made}: {made.stat().st_size / 1e6:.1f} MB")
