"""A page's surroundings."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from fakes.page_stage import Stage


@pytest.fixture
def stage(tmp_path: Path, qapp: QApplication) -> Iterator[Stage]:
    """A data folder and everything a page is handed."""
    made = Stage(tmp_path, qapp)
    yield made
    made.close()
