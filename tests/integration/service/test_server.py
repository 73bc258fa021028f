"""Where the service listens, and what it says where it cannot."""

import pytest

from app.domain.errors import NotAllowed
from app.service.server import listening, url_of


@pytest.mark.parametrize(
    ("host", "url"), [("127.0.0.1", "http://127.0.0.1:"), ("localhost", "http://127.0.0.1:"), ("::1", "http://[::1]:")]
)
def test_addresses(host: str, url: str) -> None:
    with listening(host, 0) as listener:
        assert url_of(listener).startswith(url)


def test_a_port_that_is_taken_and_a_name() -> None:
    with listening("127.0.0.1", 0) as listener, listener:
        listener.listen()
        with pytest.raises(NotAllowed, match="another --port"):
            listening("127.0.0.1", listener.getsockname()[1])
    with pytest.raises(NotAllowed, match="is no address"):
        listening("my-server", 0)
