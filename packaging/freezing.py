"""Makes the frozen program: a clean environment from the locks, PyInstaller in it, then symbols for debuggers taken out.

Refuses an environment that differs from the locks.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
LOCKS = (ROOT / "requirements.lock", HERE / "tools.lock")
SPEC = HERE / "pyinstaller" / "replyroom.spec"


def environment(folder: Path) -> Path:
    """The Python of an environment that holds just what the locks list; made again if they changed."""
    python, stamp = folder / "bin" / "python", folder / "replyroom-locks.sha256"
    digest = hashlib.sha256(b"".join(lock.read_bytes() for lock in LOCKS)).hexdigest()
    if python.exists() and stamp.exists() and stamp.read_text(encoding="utf-8") == digest:
        return python
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    installed = [flag for lock in LOCKS for flag in ("-r", str(lock))]
    uv = shutil.which("uv") or shutil.which("uv", path=ROOT / ".venv" / "bin")
    installer = [uv, "pip", "install", "--python", python] if uv else [python, "-m", "pip", "install"]
    subprocess.run([*installer, "-q", "--require-hashes", *installed], check=True)
    stamp.write_text(digest, encoding="utf-8")
    return python


def freeze(python: Path, target: Path, work: Path) -> None:
    """Put the frozen program into `target`; PyInstaller keeps what it found out in `work`."""
    shutil.rmtree(target, ignore_errors=True)
    surroundings = {**os.environ, "PYTHONPATH": str(ROOT), "LITELLM_LOCAL_MODEL_COST_MAP": "True", "PYTHONHASHSEED": "0"}
    flags = ["--noconfirm", "--log-level", "WARN", "--distpath", target.parent, "--workpath", work]
    subprocess.run([python, "-m", "PyInstaller", *flags, SPEC], check=True, cwd=ROOT, env=surroundings)


def strip(binaries: list[Path]) -> float:
    """Take out what only debuggers read; megabytes saved. Libraries that wheels brought along with changed names stay: changing
    them again breaks them."""
    saved = 0
    for path in binaries:
        if any(part.endswith(".libs") for part in path.parts):
            continue
        before = path.stat().st_size
        subprocess.run(["strip", "--strip-unneeded", path], check=True)
        saved += before - path.stat().st_size
    return saved / 1e6
