"""The engine over a machine's clock that a test sets: it is as far ahead as the file at `argv[2]` says, in seconds."""

import os
import sys
import time
from pathlib import Path

from app.engine.process.main import run_engine

if __name__ == "__main__":
    ahead = Path(sys.argv[2])
    sys.exit(run_engine(Path(sys.argv[1]), dict(os.environ), lambda: time.time() + float(ahead.read_text() or 0)))
