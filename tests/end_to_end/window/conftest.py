"""A data folder for each test of the whole program with its window."""

from pathlib import Path

import pytest

from app.config.paths import DataFolder


@pytest.fixture
def data(tmp_path: Path) -> DataFolder:
    folder = DataFolder(tmp_path / "data")
    folder.prepare()
    return folder
