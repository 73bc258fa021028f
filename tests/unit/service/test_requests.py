"""What a client is told of trouble."""

import pytest

from app.domain.errors import CapReached
from app.service.requests import failure

INTERNAL = "The service met a fault of its own; its log tells where."


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (CapReached("9 calls were made.", "Raise it."), {"error": "cap_reached", "message": "9 calls were made. Raise it."}),
        (
            KeyError("words of a mail"),
            {"error": "internal", "message": INTERNAL},
        ),
    ],
)
def test_expected_trouble_in_its_words_and_nothing_else(error: Exception, told: dict[str, str]) -> None:
    assert failure(error) == told
