"""The one request that leaves a mailing list (RFC 8058): a POST over https, without cookies, to a public address, once."""

import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

import httpx

from app.domain.agents.egress import public_address
from app.domain.errors import NotAllowed, Offline, RejectedByServer, ServerError

TIMEOUT_S = 20.0
BODY = b"List-Unsubscribe=One-Click"
Resolve = Callable[[str], Sequence[str]]


@dataclass(frozen=True, slots=True)
class AddressGuard:
    """How names become addresses and which addresses may be asked; tests have a server on this machine."""

    resolve: Resolve
    allowed: Callable[[str], bool]
    schemes: tuple[str, ...] = ("https",)


def public_guard() -> AddressGuard:
    """The world outside: every address a name has must be public."""
    return AddressGuard(_resolved, public_address)


def leave_list(url: str, guard: AddressGuard) -> None:
    """Send the request. Raises `NotAllowed` for an address that may not be asked, `Offline`, `ServerError`,
    `RejectedByServer` when the list's server says no."""
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").encode("idna").decode("ascii")
        port = f":{parts.port}" if parts.port else ""
    except ValueError as error:
        raise NotAllowed("The list's address is none.") from error
    if parts.scheme not in guard.schemes or not host or "@" in parts.netloc:
        raise NotAllowed("The list's address is no plain https address.")
    addresses = guard.resolve(host)
    if not addresses or not all(guard.allowed(one) for one in addresses):
        raise NotAllowed(f"{host} is not a public address.")
    # The address that was looked at is the one that is asked; the name could mean another one a moment later.
    literal = f"[{addresses[0]}]" if ":" in addresses[0] else addresses[0]
    target = parts._replace(netloc=f"{literal}{port}", fragment="").geturl()
    status = _post(target, host, port)
    if status >= 500:
        raise ServerError(f"{host} answered {status}.")
    if status >= 300:
        raise RejectedByServer(f"{host} answered {status}.", "Open the list's page in the browser instead.")


def _post(target: str, host: str, port: str) -> int:
    """The status of the one request. Raises as above."""
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
