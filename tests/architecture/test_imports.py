"""What a process imports: the window starts without the libraries that cost seconds."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

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


FIRST_FRAME = ["app.main", "app.store.reader.glance", "app.ui.startup.application"]
AFTER_IT = ("msgspec", "asyncio", "app.domain.record", "PySide6.QtNetwork", "_hashlib")
AFTER_USABLE = ("PySide6.QtNetwork", "PySide6.QtPrintSupport", "dateutil")


@pytest.mark.parametrize(
    ("modules", "absent"), [(WINDOW_MODULES, (*HEAVY, *AFTER_USABLE)), (FIRST_FRAME, AFTER_IT)], ids=["window", "first_frame"]
)
def test_a_start_imports_no_more_than_it_shows(modules: list[str], absent: tuple[str, ...]) -> None:
    """No libraries that take seconds, and for the first frame only what it paints with."""
    code = f"import sys\nfor name in {modules!r}: __import__(name)\nprint([m for m in {absent!r} if m in sys.modules])"
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False, env=environment)
    assert done.stdout.strip() == "[]", done.stdout + done.stderr
