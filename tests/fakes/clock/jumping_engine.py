"""Runs the engine with a clock that is ahead by the seconds in the file at `argv[2]`."""

import os
import sys
import time
from pathlib import Path

from app.engine.process.main import run_engine

if __name__ == "__main__":
    ahead = Path(sys.argv[2])
    sys.exit(run_engine(Path(sys.argv[1]), dict(os.environ), lambda: time.time() + float(ahead.read_text() or 0)))
