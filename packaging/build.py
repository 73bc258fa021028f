"""Builds the installer for Linux: a frozen program in dist/replyroom, and packages of it in dist/.

    python packaging/build.py all                              everything below, in this order
    python packaging/build.py freeze | trim | licenses | selftest | package [deb|rpm|archlinux ...] | verify

`sbom` is another name of `licenses`, which writes notices, licence texts and the list of parts (SBOM) into the bundle.
Needs Linux on x86-64, git and binutils; takes some twelve minutes, half of them for packing, and 5 GB in build/. A failed step
says so.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import freezing
import linux_package
import trimming
import verifying

ROOT = Path(__file__).resolve().parents[1]
LICENCES = Path("_internal", "resources", "licenses")


class Build:
    """The folders of one build. Each step prints what it does and raises `SystemExit` with what is wrong."""

    def __init__(self, work: Path, target: Path, environment: Path | None) -> None:
        self.work, self.target = work, target
        self.bundle = target / "replyroom"
        self.made = work / "linux"
        self._environment = environment

    @property
    def python(self) -> Path:
        """The environment's, made where it is not there yet."""
        return freezing.environment(self._environment or self.work / "venv")

    def freeze(self) -> None:
        """The program as PyInstaller makes it."""
        self.target.mkdir(parents=True, exist_ok=True)
        freezing.freeze(self.python, self.bundle, self.work / "pyinstaller")
        print(f"  {verifying.megabytes(self.bundle):.0f} MB")

    def trim(self) -> None:
        """Without what is never used."""
        for reason, size in sorted(trimming.trim(self._there()).items(), key=lambda pair: -pair[1]):
            print(f"  {size:6.1f} MB  {reason}")
        print(f"  {freezing.strip(list(trimming.binaries(self.bundle))):6.1f} MB  symbols for debuggers")
        print(f"  {verifying.megabytes(self.bundle):.0f} MB are left")

    def licenses(self) -> None:
        """Notices, licence texts and the list of parts, for the packages that are in the bundle."""
        folder = self._there() / LICENCES
        command = [self.python, ROOT / "packaging" / "notices.py", folder, "--bundle", self.bundle / "_internal"]
        if subprocess.run(command, check=False, cwd=ROOT).returncode != 0:
            raise SystemExit("The notices could not be written.")

    def selftest(self) -> None:
        """Each part of the built program works."""
        judged(verifying.self_test([self._there() / "replyroom"]))

    def package(self, kinds: Iterable[str]) -> None:
        """The packages."""
        shutil.rmtree(self.made, ignore_errors=True)
        trimming.settle(self._there())  # Chromium makes itself a folder while it is tried
        linux_package.make_files(self.made, self.python, self._there() / LICENCES)
        for kind in kinds:
            file = linux_package.package(kind, self.bundle, self.made, self.target, self.python)
            print(f"  {file}: {verifying.megabytes(file):.1f} MB")

    def verify(self) -> None:
        """Budgets, libraries, licences, versions, what desktops read, and the package."""
        looks = [
            verifying.over("bundle_mb", verifying.megabytes(self._there())),
            verifying.version(self.bundle / "replyroom"),
            verifying.libraries(self.bundle),
            verifying.parts(self.bundle),
            verifying.files(self.made, ROOT / "packaging"),
        ]
        looks += [verifying.deb(file) for file in sorted(self.target.glob(f"replyroom_{linux_package.version()}*.deb"))]
        judged(fault for look in looks for fault in look)

    def _there(self) -> Path:
        if not (self.bundle / "replyroom").is_file():
            raise SystemExit(f"There is no {self.bundle}; run first: build.py freeze")
        return self.bundle


def judged(faults: Iterable[str]) -> None:
    """End with all that is wrong, if anything is."""
    found = list(faults)
    if found:
        raise SystemExit("\n".join(["The build is not fit:", *found]))


def main(arguments: list[str]) -> int:
    """Do the steps."""
    parser = argparse.ArgumentParser(description="Builds the installer for Linux.")
    parser.add_argument("step", choices=["all", "freeze", "trim", "licenses", "sbom", "selftest", "package", "verify"])
    parser.add_argument("kinds", nargs="*", default=["deb"], help="of packages: deb, rpm, archlinux")
    parser.add_argument("--work", type=Path, default=ROOT / "build", help="what the build keeps for the next one")
    parser.add_argument("--target", type=Path, default=ROOT / "dist", help="where the results go")
    parser.add_argument("--environment", type=Path, help="where the environment is made (default: in --work)")
    options = parser.parse_args(arguments)
    if not sys.platform.startswith("linux"):
        raise SystemExit("This builds the installer for Linux; packaging/windows and packaging/macos hold the others.")
    build = Build(options.work.absolute(), options.target.absolute(), options.environment)
    steps: dict[str, Callable[[], None]] = {
        "freeze": build.freeze,
        "trim": build.trim,
        "licenses": build.licenses,
        "selftest": build.selftest,
        "package": lambda: build.package(options.kinds),
        "verify": build.verify,
    }
    wanted = list(steps) if options.step == "all" else ["licenses" if options.step == "sbom" else options.step]
    for name in wanted:
        print(f"[{name}]", flush=True)
        steps[name]()
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
