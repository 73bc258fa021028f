"""What a process imports: the window starts without the libraries that cost seconds."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HEAVY = (
    "litellm",
    "chromadb",
    "langgraph",
    "langchain_core",
    "googleapiclient",
    "sqlalchemy",
    "keyring",
    "onnxruntime",
    "openai",
    "starlette",
    "uvicorn",
)
WINDOW_MODULES = [
    "app.main",
    "app.ui.startup.application",
    "app.ui.startup.run_window",
    "app.store.reader.mailbox_reader",
    "app.link.codec",
    "app.config.settings",
]


def test_the_window_imports_nothing_heavy() -> None:
    """The window's modules bring none of the libraries that cost seconds."""
    code = f"import sys\nfor name in {WINDOW_MODULES!r}: __import__(name)\nprint([m for m in {HEAVY!r} if m in sys.modules])"
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False, env=environment)
    assert done.stdout.strip() == "[]", done.stdout + done.stderr
