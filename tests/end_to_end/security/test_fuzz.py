"""The fuzzing harness runs and finds nothing in a moment; longer runs are started by hand."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.soak, pytest.mark.skipif(importlib.util.find_spec("atheris") is None, reason="not installed: atheris")]


@pytest.mark.parametrize("target", ["html", "parse", "query"])
def test_a_moment_of_fuzzing_finds_nothing(root: Path, tmp_path: Path, target: str) -> None:
    script = root / "tests" / "security" / "fuzz_mail.py"
    command = [sys.executable, str(script), target, "-max_total_time=20", "-seed=1"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
