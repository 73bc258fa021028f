"""The one-click unsubscribe request (RFC 8058): one https POST without cookies to a public address."""

import socket
from collections.abc import Callable, Sequence
from urllib.parse import urlsplit

import httpx

from app.domain.agents.egress import public_address
from app.domain.errors import NotAllowed, Offline, RejectedByServer, ServerError
from app.domain.record import Record

TIMEOUT_S = 20.0
BODY = b"List-Unsubscribe=One-Click"
Resolve = Callable[[str], Sequence[str]]


class AddressGuard(Record):
    """Resolves names and decides which addresses may be asked. Tests allow a server on this machine."""

    resolve: Resolve
    allowed: Callable[[str], bool]
    schemes: tuple[str, ...] = ("https",)


def public_guard() -> AddressGuard:
    """The guard for the internet: every address of a name must be public."""
    return AddressGuard(_resolved, public_address)


def leave_list(url: str, guard: AddressGuard) -> None:
    """Sends the request once.

    Raises `NotAllowed` for an address that is not allowed, `Offline`, `ServerError`, and `RejectedByServer` if the list's server
    rejects it.
    """
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").encode("idna").decode("ascii")
        port = f":{parts.port}" if parts.port else ""
    except ValueError as error:
        raise NotAllowed("The list's address is none.") from error
    if parts.scheme not in guard.schemes or not host or "@" in parts.netloc:
        raise NotAllowed("The list's address is no plain https address.")
    addresses = guard.resolve(host)
    if not addresses or not all(guard.allowed(address) for address in addresses):
        raise NotAllowed(f"{host} is not a public address.")
    # Connect to the address that was checked: the name could resolve to another one a moment later.
    literal = f"[{addresses[0]}]" if ":" in addresses[0] else addresses[0]
    target = parts._replace(netloc=f"{literal}{port}", fragment="").geturl()
    status = _post(target, host, port)
    if status >= 500:
        raise ServerError(f"{host} answered {status}.")
    if status >= 300:
        raise RejectedByServer(f"{host} answered {status}.", "Open the list's page in the browser instead.")


def _post(target: str, host: str, port: str) -> int:
    """Sends the request and returns the status. Raises like `leave_list`."""
    shown = f"[{host}]" if ":" in host else host
    headers = {"host": f"{shown}{port}", "content-type": "application/x-www-form-urlencoded", "user-agent": "Replyroom"}
    try:
        with httpx.Client(timeout=TIMEOUT_S, trust_env=False, follow_redirects=False) as client:
            request = client.build_request("POST", target, content=BODY, headers=headers, extensions={"sni_hostname": host})
            response = client.send(request, stream=True)
            status = response.status_code
            response.close()
            return status
    except (httpx.InvalidURL, ValueError) as error:
        raise NotAllowed("The list's address is none.") from error
    except (httpx.ConnectError, httpx.TimeoutException) as error:
        raise Offline(f"{host} cannot be reached.") from error
    except httpx.HTTPError as error:
        raise ServerError(f"{host} gave no answer.") from error


def _resolved(host: str) -> Sequence[str]:
    try:
        return [str(found[4][0]).partition("%")[0] for found in socket.getaddrinfo(host, 443, type=socket.SOCK_STREAM)]
    except OSError as error:
        raise Offline(f"{host} cannot be found.") from error
