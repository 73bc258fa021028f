"""What the transport's own faults are called."""

from google.auth.exceptions import RefreshError

from app.domain.errors import LoginNeeded, ServerError
from app.mail.gmail.wire.transport import _converted


def test_a_token_that_is_refused_for_the_moment_ends_no_sign_in() -> None:
    assert isinstance(_converted(RefreshError("try again", retryable=True)), ServerError)
    assert isinstance(_converted(RefreshError("invalid_grant")), LoginNeeded)
