"""Where the service may be, and what its answers mean."""

import pytest

from app.agent.agents.gmail.service_client import ServiceAddress
from app.domain.errors import NotAllowed


@pytest.mark.parametrize(
    ("url", "host", "name"),
    [
        ("http://localhost:8000", "localhost:8000", "gmail-service"),
        ("http://127.0.0.1:8000/", "127.0.0.1:8000", "gmail-service"),
        ("http://[::1]:8000", "::1:8000", "gmail-service"),
        ("https://mail.example", "mail.example", "gmail-service:mail.example"),
        (" https://mail.example:8443/gmail/ ", "mail.example:8443", "gmail-service:mail.example:8443"),
    ],
)
def test_addresses(url: str, host: str, name: str) -> None:
    address = ServiceAddress.of(url)
    assert (address.host, address.token_name) == (host, name)
    assert not address.url.endswith("/")


@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost:8000",
        "ftp://localhost",
        "http://",
        "http://user:secret@localhost:8000",
        "http://localhost:8000?token=x",
        "http://localhost:8000#x",
        "http://localhost:99999",
        "http://[::1",
    ],
)
def test_what_is_no_address(url: str) -> None:
    with pytest.raises(NotAllowed, match="no plain http"):
        ServiceAddress.of(url)


@pytest.mark.parametrize(
    "url", ["http://mail.example", "http://10.0.0.5:8000", "http://localhost.evil.example", "http://0.0.0.0"]
)
def test_mail_goes_unencrypted_to_this_machine_alone(url: str) -> None:
    with pytest.raises(NotAllowed, match="unencrypted"):
        ServiceAddress.of(url)
