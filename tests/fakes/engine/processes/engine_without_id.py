"""Runs the engine on a system without a machine id, as in a container."""

import os
import sys
from pathlib import Path

from app.config import machine
from app.engine.process.main import run_engine

if __name__ == "__main__":
    machine.PLACES = ()
    sys.exit(run_engine(Path(sys.argv[1]), dict(os.environ)))
