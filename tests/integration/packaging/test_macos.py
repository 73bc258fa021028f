"""What is said to macOS, and the scripts that sign: read and run as far as that goes without a Mac."""

import os
import plistlib
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from fakes.engine.processes.build_script import loaded_script

FOLDER = Path(__file__).resolve().parents[3] / "packaging" / "macos"
SCRIPTS = sorted(FOLDER.glob("*.sh"))


@pytest.fixture(scope="module")
def bundle() -> ModuleType:
    """The script as a module."""
    return loaded_script(FOLDER / "bundle.py")


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """Apple's tools, which write down what they are asked; the keychain has one certificate."""
    folder = tmp_path / "tools"
    folder.mkdir()
    for name in ("codesign", "xcrun", "spctl"):
        (folder / name).write_text(f'#!/bin/sh\necho "{name} $*" >> "{tmp_path}/asked"\n')
    (folder / "security").write_text("#!/bin/sh\necho '1) AB12 \"Developer ID Application: Ann (TEAM)\"'\n")
    for path in folder.iterdir():
        path.chmod(0o755)
    return folder


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A bundle with one of each kind that is signed."""
    inside = tmp_path / "Replyroom.app" / "Contents"
    framework = inside / "Frameworks" / "QtWebEngineCore.framework"
    helper = framework / "Versions" / "A" / "Helpers" / "QtWebEngineProcess.app"
    (helper / "Contents").mkdir(parents=True)
    (inside / "MacOS").mkdir()
    for path in (inside / "MacOS" / "replyroom", inside / "Frameworks" / "a b.so", inside / "Frameworks" / "libc.dylib"):
        path.write_text("code")
        path.chmod(0o755)
    return tmp_path / "Replyroom.app"


def run(script: str, tools: Path, *arguments: str | Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    """A script among these tools."""
    surroundings = {"PATH": f"{tools}:{os.environ['PATH']}", **environment}
    command = ["bash", str(FOLDER / script), *map(str, arguments)]
    return subprocess.run(command, env=surroundings, capture_output=True, text=True, check=False)


def test_the_program_tells_macos_what_it_needs(bundle: ModuleType, tmp_path: Path) -> None:
    told = bundle.settings("1.2.3", tmp_path / "replyroom.icns")
    info = plistlib.loads(plistlib.dumps(told["info_plist"]))
    assert [one["CFBundleURLSchemes"] for one in info["CFBundleURLTypes"]] == [["mailto"]]
    assert info["LSMinimumSystemVersion"].startswith("14")
    assert info["CFBundleShortVersionString"] == info["CFBundleVersion"] == told["version"] == "1.2.3"
    assert info["LSBackgroundOnly"] is False, "PyInstaller says otherwise of a program with standard output"
    assert all(words.endswith(".") for key, words in info.items() if key.endswith("UsageDescription"))
    assert "NSLocalNetworkUsageDescription" in info
    assert not [key for key in info if "Camera" in key or "Microphone" in key or "Contacts" in key], "never asked for"


def test_the_image_has_the_program_beside_applications() -> None:
    told: dict[str, object] = {"defines": {"app": "dist/Replyroom.app"}}
    exec((FOLDER / "dmg_settings.py").read_text(encoding="utf-8"), told)
    assert told["files"] == ["dist/Replyroom.app"]
    assert told["symlinks"] == {"Applications": "/Applications"}
    assert set(told["icon_locations"]) == {"Replyroom.app", "Applications"}  # type: ignore[call-overload]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_scripts_have_no_traps(script: Path) -> None:
    checker = Path(sys.executable).with_name("shellcheck")
    done = subprocess.run([checker, script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert os.access(script, os.X_OK)
    assert "set -euo pipefail" in script.read_text(encoding="utf-8")


def test_signing_goes_from_the_inside_out(tools: Path, program: Path) -> None:
    done = run("sign.sh", tools, program, REPLYROOM_SIGN_IDENTITY="Developer ID Application: Ann (TEAM)")
    assert done.returncode == 0, done.stderr
    asked = (tools.parent / "asked").read_text().splitlines()
    assert all("--timestamp --options runtime" in line for line in asked[:-1])
    order = [line.rsplit("/", 1)[-1] for line in asked]
    assert set(order[:2]) == {"a b.so", "libc.dylib"}
    assert order[2:] == ["QtWebEngineProcess.app", "QtWebEngineCore.framework", "replyroom", "Replyroom.app", "Replyroom.app"]
    assert "webengine.entitlements" in asked[2]
    assert "program.entitlements" in asked[-2]
    assert "--verify --deep --strict" in asked[-1]
