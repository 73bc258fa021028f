"""Network access of the web tools: search with a SearXNG server, and single pages as text.

A page's host is resolved once, all of its addresses must be public, and the connection goes to the resolved address.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Mapping, Sequence
from urllib.parse import urljoin, urlsplit

import httpx
from selectolax.lexbor import LexborHTMLParser

from app.domain.agents.egress import plain_host, public_address
from app.domain.agents.tools import WebHit, WebPage
from app.domain.errors import NotAllowed, Offline, ServerError

TIMEOUT_S = 15.0
MOST_BYTES = 2_000_000
MOST_TEXT = 16_000
MOST_REDIRECTS = 3
TEXT_TYPES = ("text/html", "application/xhtml+xml", "text/plain")
AGENT = {"User-Agent": "Replyroom", "Accept": "text/html, text/plain"}

Resolve = Callable[[str], Awaitable[Sequence[str]]]
"""Resolves a host name to IP addresses."""


async def resolve(host: str) -> Sequence[str]:
    """Resolves a host to IP addresses. Raises `Offline`."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, 443, type=socket.SOCK_STREAM)
    except OSError as error:
        raise Offline(f"{host} cannot be found.") from error
    return [str(one[4][0]) for one in found]


class PageReader:
    """Reads single pages. Raises `NotAllowed` for an address that is not allowed, `Offline`, `ServerError`."""

    def __init__(self, transport: httpx.AsyncBaseTransport | None = None, lookup: Resolve = resolve) -> None:
        self._transport, self._lookup = transport, lookup

    async def read(self, url: str) -> WebPage:
        """A page as plain text. Raises `NotAllowed`, also for redirects to another host, `Offline` and `ServerError`."""
        first = plain_host(url)
        async with _client(self._transport) as client:
            for _ in range(MOST_REDIRECTS + 1):
                host = plain_host(url)
                if host is None or host != first:
                    raise NotAllowed("The page leads to another site.")
                addresses = await self._lookup(host)
                if not addresses or not all(public_address(one) for one in addresses):
                    raise NotAllowed(f"{host} is not on the open internet.")
                address = f"[{addresses[0]}]" if ":" in addresses[0] else addresses[0]
                response = await _fetch(client, urlsplit(url)._replace(netloc=address).geturl(), host)
                target = response.headers.get("location") if response.is_redirect else None
                if target is None:
                    return _page(url, response)
                url = urljoin(url, target)
        raise NotAllowed("The page only leads from one address to the next.")


class SearxSearch:
    """Searches with a SearXNG server at `base` that has its JSON format enabled. Raises `Offline`, `ServerError`."""

    def __init__(self, base: str, transport: httpx.AsyncBaseTransport | None = None) -> None:
        self._base = base.rstrip("/")
        self._transport = transport

    async def find(self, words: str, limit: int) -> Sequence[WebHit]:
        """Hits, best first. Raises `Offline` and `ServerError`."""
        async with _client(self._transport) as client:
            try:
                response = await client.get(f"{self._base}/search", params={"q": words, "format": "json", "safesearch": "1"})
                response.raise_for_status()
                found = response.json()
            except httpx.HTTPStatusError as error:
                raise ServerError(f"The search engine answered {error.response.status_code}.") from error
            except httpx.HTTPError as error:
                raise Offline("The search engine does not answer.") from error
            except ValueError as error:
                raise ServerError("The search engine answered no JSON; its JSON form may be switched off.") from error
        rows = found.get("results", ()) if isinstance(found, Mapping) else ()
        kept = [one for one in (rows if isinstance(rows, list) else ()) if isinstance(one, Mapping)][:limit]
        return tuple(
            WebHit(str(one.get("title", ""))[:300], str(one.get("url", ""))[:500], str(one.get("content", ""))[:1000])
            for one in kept
        )


def _client(transport: httpx.AsyncBaseTransport | None) -> httpx.AsyncClient:
    """A client without proxies or cookies from the environment, and without automatic redirects."""
    return httpx.AsyncClient(
        transport=transport, timeout=TIMEOUT_S, follow_redirects=False, trust_env=False, headers=AGENT, max_redirects=0
    )


async def _fetch(client: httpx.AsyncClient, url: str, host: str) -> httpx.Response:
    """Sends one GET to an IP-based URL with the host's name in `Host` and SNI. Reads at most `MOST_BYTES` of the body."""
    request = client.build_request("GET", url, headers={"Host": host}, extensions={"sni_hostname": host})
    try:
        response = await client.send(request, stream=True)
        try:
            body = b""
            async for piece in response.aiter_bytes():
                body += piece
                if len(body) > MOST_BYTES:
                    break
        finally:
            await response.aclose()
    except httpx.HTTPError as error:
        raise Offline(f"{host} does not answer.") from error
    if response.status_code >= 400:
        raise ServerError(f"{host} answered {response.status_code}.")
    headers = {name: value for name, value in response.headers.items() if name in ("content-type", "location")}
    return httpx.Response(response.status_code, headers=headers, content=body[:MOST_BYTES], request=request)


def _page(url: str, response: httpx.Response) -> WebPage:
    """The text of a page. Raises `NotAllowed` for other content types than text."""
    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in TEXT_TYPES:
        raise NotAllowed(f"The page is {kind or 'of no known kind'}, not text.")
    if kind == "text/plain":
        return WebPage(url, "", response.text[:MOST_TEXT], len(response.text) > MOST_TEXT)
    tree = LexborHTMLParser(response.content)
    title = tree.css_first("title")
    name = title.text(strip=True)[:300] if title is not None else ""
    tree.strip_tags(["script", "style", "template", "noscript", "head", "iframe", "object", "svg"])
    words = "\n".join(filter(None, (line.strip() for line in (tree.body.text(separator="\n") if tree.body else "").splitlines())))
    return WebPage(url, name, words[:MOST_TEXT], len(words) > MOST_TEXT)
