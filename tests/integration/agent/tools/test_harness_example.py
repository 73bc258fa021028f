"""Runs the example of `app/agent/README.md`: how a test harness drives the tool registry."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[4]


def test_the_example_runs_as_it_stands() -> None:
    text = (ROOT / "app" / "agent" / "README.md").read_text(encoding="utf-8")
    code = text.split("## Driving the tool registry", 1)[1].split("```python\n", 1)[1].split("```", 1)[0]
    assert len(code.splitlines()) == 30
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    waiting, flags, ran, result = done.stdout.splitlines()
    assert "CallOutcome.WAITING" in waiting
    assert flags == "['recipient_outside_thread', 'never_written_to', 'credential', 'quotes_private_source', 'not_from_user']"
    assert "approved_by='harness'" in ran
    assert result == "Result(value={'status': 'queued'}, failed=False)"
