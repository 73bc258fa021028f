"""Google's discovery documents, which the sandbox is held against."""

from typing import Any

import pytest

from fakes.gmail.google_client import discovery


@pytest.fixture(scope="session")
def documents() -> dict[str, dict[str, Any]]:
    """The discovery documents by API name."""
    return {name.partition(".")[0]: discovery(name) for name in ("gmail.v1", "calendar.v3", "people.v1")}
