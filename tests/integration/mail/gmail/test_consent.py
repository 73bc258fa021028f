"""The loopback listener: one redirect with the right state, and nothing else."""

import socket
import threading
import urllib.error
import urllib.request
from urllib.parse import urlsplit

import pytest

from app.mail.gmail.consent import Listener, Redirect


def fetch(address: str, statuses: list[int]) -> None:
    try:
        with urllib.request.urlopen(address, timeout=10) as answer:
            statuses.append(answer.status)
    except urllib.error.HTTPError as error:
        statuses.append(error.code)
        error.close()


@pytest.mark.parametrize(
    ("query", "found"),
    [("code=c1&state=s1", Redirect("c1", "")), ("error=access_denied&state=s1", Redirect("", "access_denied"))],
)
def test_the_redirect_is_taken_and_noise_is_refused(query: str, found: Redirect, capsys: pytest.CaptureFixture[str]) -> None:
    statuses: list[int] = []

    def visit(address: str) -> None:
        for path in ("favicon.ico", "?code=evil", "?code=evil&state=other", f"?{query}"):
            fetch(f"{address}{path}", statuses)

    with Listener() as listener:
        thread = threading.Thread(target=visit, args=(listener.redirect_uri,))
        thread.start()
        assert listener.wait("s1", timeout_s=20) == found
        thread.join()
    assert statuses == [404, 404, 404, 200]
    assert capsys.readouterr().err == "", "the address with the code is never written anywhere"


def test_it_listens_on_this_machine_only_and_gives_up_in_time() -> None:
    with Listener() as listener:
        address = urlsplit(listener.redirect_uri)
        assert address.hostname == "127.0.0.1"
        with pytest.raises(OSError):
            socket.create_connection(("127.0.0.2", address.port or 0), timeout=5).close()
        assert listener.wait("s1", timeout_s=0.05) is None


def test_silent_and_slow_connections_do_not_keep_the_browser_waiting() -> None:
    with Listener() as listener:
        port = urlsplit(listener.redirect_uri).port or 0
        silent = [socket.create_connection(("127.0.0.1", port), timeout=5) for _ in range(20)]
        silent[0].sendall(b"GET /?co")
        thread = threading.Thread(target=fetch, args=(f"{listener.redirect_uri}?code=c1&state=s1", []))
        thread.start()
        assert listener.wait("s1", timeout_s=8) == Redirect("c1", "")
        thread.join()
        for one in silent:
            one.close()
