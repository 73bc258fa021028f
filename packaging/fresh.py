"""Tries the README's commands where nothing was prepared: on a minimal Debian that is made for it and taken away afterwards.

    python3 packaging/dev.py fresh                                 demo and test, as the README has them
    python3 packaging/dev.py fresh demo --headless                 one command, with whatever words it takes
    python3 packaging/dev.py fresh --root DIR --keep test -q tests/selftest
                                                                   kept for the next time, which then starts right away

Standard library only. Needs Linux, root and mmdebstrap. The sources are a clone of what is committed here. How packages are
fetched (apt's sources, pip's and uv's settings, proxies, certificates) is taken from this machine, and nothing else. Each command
runs in name spaces of its own: whatever happens to it, its mounts and its processes end with it.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import deque
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LOGS = ROOT / "build" / "fresh"
BOTH = (("demo",), ("test",))
INCLUDED = "python3,python3-venv,git,ca-certificates"
MARK = Path("etc", "replyroom-fresh")
HOME = Path("root")
SOURCES = HOME / "replyroom"
PATHS = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
LAST_LINES = 25
APART = ("setpriv", "--pdeathsig", "KILL", "unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc")
"""Starts a program in name spaces of its own, which end with it, as it ends with us."""

REMOVED_S = 10.0

PASSED = re.compile(
    r"(?:PIP|UV)_(?!.*(?:CACHE|PYTHON|TARGET|PREFIX|ENVIRONMENT)).+|(?:HTTPS?|ALL|NO|FTP)_PROXY"
    r"|SSL_CERT_(?:FILE|DIR)|(?:REQUESTS|CURL)_CA_BUNDLE|GIT_SSL_CAINFO",
    re.IGNORECASE,
)
"""Variables about fetching packages and about certificates."""

APT = Path("/etc/apt")
KEYS = ("etc/apt/keyrings", "etc/apt/trusted.gpg.d", "etc/apt/trusted.gpg", "usr/share/keyrings")
AUTHORITIES = "usr/local/share/ca-certificates"
OF_THE_SYSTEM = ("etc/pip.conf", "etc/xdg/pip/pip.conf", "etc/uv/uv.toml")
OF_THE_USER = (".config/pip/pip.conf", ".pip/pip.conf", ".config/uv/uv.toml")
NAMED = re.compile(r"(?:(file://)|(?<![\w:/.~-]))(/[\w.+/-]+)")
"""A place in a setting: a path, or the address of one."""


def unfit() -> str:
    """Say why this machine cannot do it; nothing where it can."""
    if not sys.platform.startswith("linux"):
        return "fresh makes a minimal Debian to work in, which only Linux can do."
    if os.geteuid() != 0:
        return "fresh makes a minimal Debian and mounts what belongs into it, which only root may do: start it with sudo."
    if shutil.which("mmdebstrap") is None:
        return "mmdebstrap, which makes the minimal Debian, is not installed: run apt-get install mmdebstrap and try again."
    missing = [tool for tool in ("setpriv", "unshare", "chroot", "mount", "git") if shutil.which(tool) is None]
    return f"{' and '.join(missing)} cannot be found on the path: install what is missing and try again." if missing else ""


def passed(variables: dict[str, str]) -> dict[str, str]:
    """Pick the variables about fetching packages and about certificates."""
    return {name: value for name, value in variables.items() if PASSED.fullmatch(name) and value}


def places(settings: str) -> list[Path]:
    """Find the files and folders of this machine that settings name.

    The pages of an index in a folder lead to packages beside that folder, so the folder above belongs to it.
    """
    found: dict[Path, None] = {}
    for address, name in NAMED.findall(settings):
        path = Path(name)
        if path.exists():
            found[path.parent if address and path.is_dir() and len(path.parts) > 3 else path] = None
    return [path for path in found if not found.keys() & set(path.parents)]


class FreshRoot:
    """Holds a minimal Debian below `folder`, with the sources in it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._variables = passed(dict(os.environ))
        self._shared: list[Path] = []

    def prepare(self, log: Path) -> None:
        """Make it, or take it as it was left, and bring settings and sources.

        Raises `SystemExit`.
        """
        if not (self._folder / MARK).exists():
            if self._folder.exists() and any(self._folder.iterdir()):
                raise SystemExit(f"{self._folder} is not empty and was not made by fresh: name another folder.")
            self._make(log)
        self._settle()
        self._clone()

    def _make(self, log: Path) -> None:
        """Install the system, from where a Debian-like machine has its own.

        How apt fetches is told by apt itself: this machine's hooks would be of no use there.
        """
        flags = ["--mode=root", "--variant=minbase", f"--include={INCLUDED}"]
        lists = [path for path in (APT / "sources.list", *sorted((APT / "sources.list.d").glob("*"))) if is_used(path)]
        suite = suite_of(Path("/etc/os-release").read_text(encoding="utf-8")) if lists else "stable"
        print(f"[root] {suite} in {self._folder}", flush=True)
        with tempfile.NamedTemporaryFile(suffix=".conf") as options:
            if lists:
                subprocess.run(["apt-config", "dump", "Acquire"], stdout=options, check=True)
                flags.append(f"--aptopt={options.name}")
            done = logged([*APART, "mmdebstrap", *flags, suite, self._folder, *lists], log)
        if done != 0:
            raise SystemExit(f"The minimal Debian could not be made:\n{last_lines(log)}")
        (self._folder / MARK).touch()

    def _settle(self) -> None:
        """Bring names of servers, keys, certificates and sources of packages."""
        self._bring(Path("/etc/resolv.conf"))
        for name in (*KEYS, AUTHORITIES, *OF_THE_SYSTEM):
            self._bring(Path("/", name))
        for name in OF_THE_USER:
            self._bring(Path.home() / name, HOME / name)
        if logged(["chroot", self._folder, "update-ca-certificates"], LOGS / "certificates.log", {"PATH": PATHS}) != 0:
            raise SystemExit(f"The certificates could not be taken over:\n{last_lines(LOGS / 'certificates.log')}")
        files = [Path("/", name) for name in OF_THE_SYSTEM] + [Path.home() / name for name in OF_THE_USER]
        texts = [path.read_text(encoding="utf-8") for path in files if path.is_file()]
        for path in places("\n".join([*self._variables.values(), *texts])):
            if path.is_dir() and not self._inside(path).is_dir():
                self._inside(path).mkdir(parents=True)
            if path.is_dir() and not any(self._inside(path).iterdir()):
                self._shared.append(path)
            elif not self._inside(path).exists():
                self._bring(path)

    def _clone(self) -> None:
        """Clone what is committed here, or bring an older clone to it."""
        target = self._folder / SOURCES
        git = ["git", "-c", f"safe.directory={ROOT}"]
        if target.exists():
            steps = [["fetch", "--quiet", ROOT, "HEAD"], ["reset", "--quiet", "--hard", "FETCH_HEAD"], ["clean", "-fdq"]]
            commands = [[*git, "-C", target, *step] for step in steps]
        else:
            commands = [[*git, "clone", "--quiet", "--no-hardlinks", ROOT, target]]
        for command in commands:
            if subprocess.run(command, check=False).returncode != 0:
                raise SystemExit("The sources could not be cloned; the lines above say why.")
        changed = subprocess.run(["git", "status", "--porcelain"], cwd=ROOT, capture_output=True, text=True, check=False).stdout
        if changed:
            print("[root] What is not committed is not in the clone.", flush=True)

    def run(self, words: list[str], log: Path) -> int:
        """Run dev.py there and return its exit code.

        It has a home and the passed variables, and nothing else of this machine.
        """
        surroundings = {**self._variables, "PATH": PATHS, "HOME": f"/{HOME}", "TERM": "dumb"}
        command = f"cd /{SOURCES} && exec python3 packaging/dev.py {shlex.join(words)}"
        return logged([*APART, "sh", "-c", self._script(command)], log, surroundings)

    def _script(self, command: str) -> str:
        """Write the mounts and the command as a script of the shell.

        The shell stays: as the first process of its name space it collects what others left behind.
        """
        root = shlex.quote(str(self._folder))
        lines = [
            "set -e",
            f"mount -t proc proc {root}/proc",
            f"mount --rbind /sys {root}/sys",
            f"mount --rbind /dev {root}/dev",
            f"mount -t tmpfs -o mode=1777 shm {root}/dev/shm",
        ]
        for path in self._shared:
            place = shlex.quote(str(self._inside(path)))
            lines += [f"mount --bind {shlex.quote(str(path))} {place}", f"mount -o remount,bind,ro {place}"]
        lines += [f"chroot {root} sh -c {shlex.quote(command)} && code=0 || code=$?", "exit $code"]
        return "\n".join(lines)

    def _bring(self, path: Path, to: Path | None = None) -> None:
        """Copy a file or folder of this machine, if there is one.

        It comes to the same place, or to the one that is named.
        """
        if not path.exists():
            return
        target = self._folder / to if to else self._inside(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            shutil.copytree(path, target, dirs_exist_ok=True)
        else:
            shutil.copyfile(path, target)

    def _inside(self, path: Path) -> Path:
        return self._folder / path.relative_to("/")

    def remove(self) -> None:
        """Delete it, also while processes that were just killed still end.

        Raises `SystemExit` where that cannot be.
        """
        mounted = [line.split()[4] for line in Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines()]
        below = [place for place in mounted if self._folder in (Path(place), *Path(place).parents)]
        if below:
            raise SystemExit(f"{self._folder} was not deleted: {', '.join(below)} is mounted there.")
        limit = time.monotonic() + REMOVED_S
        while self._folder.exists():
            try:
                shutil.rmtree(self._folder)
            except OSError as error:
                if time.monotonic() > limit:
                    raise SystemExit(f"{self._folder} was not deleted: {error}.") from error
                time.sleep(0.5)


def is_used(path: Path) -> bool:
    """Tell whether apt reads a list of sources."""
    return path.is_file() and path.suffix in (".list", ".sources") and bool(path.read_text(encoding="utf-8").strip())


def suite_of(release: str) -> str:
    """Read the code name of this system from /etc/os-release."""
    found = re.search(r'^VERSION_CODENAME="?([\w-]+)', release, re.MULTILINE)
    return found[1] if found else "stable"


def logged(command: list[str | Path], log: Path, environment: dict[str, str] | None = None) -> int:
    """Run a command with its words in a file; return its exit code."""
    with log.open("wb") as file:
        told = {"stdin": subprocess.DEVNULL, "stdout": file, "stderr": subprocess.STDOUT}
        return subprocess.run([str(part) for part in command], env=environment, check=False, **told).returncode


def last_lines(log: Path, count: int = LAST_LINES) -> str:
    """Read the end of a log."""
    with log.open(encoding="utf-8", errors="replace") as file:
        return "".join(f"  {line.rstrip()}\n" for line in deque(file, count))


def tried(root: FreshRoot, commands: list[list[str]]) -> int:
    """Run the commands, show how each ended, return the first failure."""
    codes = []
    for number, words in enumerate(commands, 1):
        log = LOGS / f"{number}-{words[0]}.log"
        print(f"[{words[0]}] python3 packaging/dev.py {shlex.join(words)}; its words go to {log.relative_to(ROOT)}", flush=True)
        begun = time.monotonic()
        codes.append(root.run(words, log))
        print(f"{last_lines(log)}[{words[0]}] exit code {codes[-1]} after {time.monotonic() - begun:.0f} s", flush=True)
    return next((code for code in codes if code), 0)


def main(arguments: list[str]) -> int:
    """Make the root, run the commands, delete it."""
    shown = {"prog": "dev.py fresh", "formatter_class": argparse.RawDescriptionHelpFormatter}
    parser = argparse.ArgumentParser(description=__doc__, **shown)
    parser.add_argument("--root", type=Path, help="folder of the minimal Debian (default: a new folder below /var/tmp)")
    parser.add_argument("--keep", action="store_true", help="leave it for the next time; one that was there before always stays")
    parser.add_argument("words", nargs=argparse.REMAINDER, help="what dev.py shall do there (default: demo, then test)")
    options = parser.parse_args(arguments)
    why = unfit()
    if why:
        raise SystemExit(why)
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    LOGS.mkdir(parents=True, exist_ok=True)
    folder = (options.root or Path(tempfile.mkdtemp(prefix="replyroom-fresh-", dir="/var/tmp"))).resolve()
    ours = not (folder / MARK).exists() and not (folder.exists() and any(folder.iterdir()))
    root = FreshRoot(folder)
    try:
        root.prepare(LOGS / "root.log")
        return tried(root, [options.words] if options.words else [list(words) for words in BOTH])
    except KeyboardInterrupt:
        return 130
    finally:
        signal.signal(signal.SIGTERM, before)
        if ours and not (options.keep and (folder / MARK).exists()):
            root.remove()
        elif (folder / MARK).exists():
            print(f"[root] {folder} stays; delete it when you are done.")


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
