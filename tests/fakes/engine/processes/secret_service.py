"""Runs a command with a real Secret Service: its own D-Bus session and GNOME Keyring in the test's folder."""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[4]
MISSING = [name for name in ("dbus-run-session", "gnome-keyring-daemon") if shutil.which(name) is None]

UNLOCKED = """
printf '%s' "$KEYRING_PASSWORD" | gnome-keyring-daemon --foreground --unlock --components=secrets >/dev/null 2>&1 &
keyring=$!
"""
LOCKED = """
gnome-keyring-daemon --foreground --components=secrets </dev/null >/dev/null 2>&1 &
keyring=$!
"""
OPENED_LATER = (
    LOCKED
    + """
( while [ ! -e "$HOME/open" ]; do sleep 0.1; done
  printf '%s' "$KEYRING_PASSWORD" |
    gnome-keyring-daemon --replace --foreground --unlock --components=secrets >/dev/null 2>&1 ) &
"""
)
"""Locked until the home folder has a file `open`."""
ABSENT = "keyring=''\n"

_RUN = """
if [ -n "$keyring" ]; then
  for _ in $(seq 200); do
    dbus-send --session --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.NameHasOwner \\
      string:org.freedesktop.secrets 2>/dev/null | grep -q true && break
    sleep 0.05
  done
fi
"$@"
code=$?
[ -n "$keyring" ] && kill "$keyring" && wait "$keyring"
exit $code
"""


def under(keyring: str, *command: str) -> list[str]:
    """`command` in a session whose keyring is `UNLOCKED`, `LOCKED` or `ABSENT`."""
    return ["dbus-run-session", "--", "sh", "-c", keyring + _RUN, "sh", *command]


def environment(home: Path, inherited: dict[str, str]) -> dict[str, str]:
    """An environment without the machine's own keyring: home and runtime folders of the test."""
    for name in ("data", "config", "run", "cache"):
        (home / name).mkdir(parents=True, exist_ok=True, mode=0o700)
    kept = {
        name: value for name, value in inherited.items() if not name.startswith(("PYTHON_KEYRING", "DBUS_", "GNOME_", "XDG_"))
    }
    return {
        **kept,
        "HOME": str(home),
        "XDG_DATA_HOME": str(home / "data"),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_RUNTIME_DIR": str(home / "run"),
        "XDG_CACHE_HOME": str(home / "cache"),
        "XDG_STATE_HOME": str(home / "state"),
        "KEYRING_PASSWORD": "a test's password",
        "PYTHONPATH": str(ROOT),
    }


def python(keyring: str, code: str, home: Path, inherited: dict[str, str], *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Runs Python code in such a session."""
    command = under(keyring, sys.executable, "-c", code, *arguments)
    return subprocess.run(
        command, cwd=ROOT, env=environment(home, inherited), capture_output=True, text=True, check=False, timeout=120
    )
