"""What a client is told of a run's error."""

import pytest

from app.domain.errors import CapReached
from app.service.requests import RunFailed, run_errors

INTERNAL = "The service met a fault of its own; its log tells where."


@pytest.mark.expects_warnings
@pytest.mark.parametrize(
    ("error", "status", "code", "message"),
    [
        (CapReached("9 calls were made.", "Raise it."), 503, "cap_reached", "9 calls were made. Raise it."),
        (KeyError("words of a mail"), 500, "internal", INTERNAL),
    ],
)
def test_expected_errors_keep_their_words_and_others_give_none(error: Exception, status: int, code: str, message: str) -> None:
    with pytest.raises(RunFailed) as failed, run_errors():
        raise error
    assert (failed.value.status, failed.value.code, failed.value.detail) == (status, code, message)
