"""The first HTML mail on a real screen: nothing that is pressed while Chromium is made gets lost, and what lies over it works."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fakes.engine.engine_process import ROOT
from fakes.window.first_html import DIGITS
from fakes.window.keyboard_session.screen import TOOLS, real_screen

pytestmark = [
    pytest.mark.soak,
    pytest.mark.timeout(300),
    pytest.mark.skipif(not all(map(shutil.which, TOOLS)), reason=f"needs {', '.join(TOOLS)}"),
]


def test_no_key_is_lost_and_the_window_stays(tmp_path: Path) -> None:
    with real_screen() as environment:
        done = subprocess.run(
            [sys.executable, "-m", "fakes.window.first_html", str(tmp_path / "data")],
            env={**environment, "PYTHONPATH": f"{ROOT}:{ROOT / 'tests'}"},
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.strip().splitlines()[-1])
    assert told.pop("arrived") == "".join(DIGITS)
    assert told == {"same_window": True, "shown": True, "clicked_over_it": True, "painted_again": True}
