"""The network of the web tools: public addresses only, pinned, no way to another site, text and no more than its share."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence

import httpx
import pytest

from app.agent.tools.web import MOST_BYTES, MOST_TEXT, PageReader, SearxSearch
from app.domain.agents.tools import WebHit
from app.domain.errors import NotAllowed, Offline, ServerError

URL = "https://www.sukl.example/leky"
HEAD = "<head><title>Léky</title><style>p{}</style></head>"
HTML = f"<html>{HEAD}<body><h1>Paralen</h1><script>x()</script><p>500 mg</p></body></html>"


def reader(answer: Callable[[httpx.Request], httpx.Response], *addresses: str) -> PageReader:
    async def lookup(_host: str) -> Sequence[str]:
        await asyncio.sleep(0)
        return addresses or ("93.184.216.34",)

    return PageReader(httpx.MockTransport(answer), lookup)


async def test_a_page_is_read_as_text_from_the_address_that_was_checked() -> None:
    asked: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return httpx.Response(200, html=HTML)

    page = await reader(answer).read(URL)
    assert (page.title, page.text, page.cut, page.url) == ("Léky", "Paralen\n500 mg", False, URL)
    (request,) = asked
    assert str(request.url) == "https://93.184.216.34/leky"
    assert request.headers["host"] == "www.sukl.example"
    assert request.extensions["sni_hostname"] == "www.sukl.example"
    assert "cookie" not in request.headers


@pytest.mark.parametrize("addresses", [("127.0.0.1",), ("93.184.216.34", "10.0.0.1"), ("::1",), ("169.254.169.254",)])
async def test_a_host_with_any_address_inside_is_not_asked(addresses: tuple[str, ...]) -> None:
    def never(_request: httpx.Request) -> httpx.Response:
        raise AssertionError("nobody is asked")

    with pytest.raises(NotAllowed, match="not on the open internet"):
        await reader(never, *addresses).read(URL)


async def test_a_redirect_stays_on_its_host() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/leky":
            return httpx.Response(302, headers={"Location": "/new"})
        return httpx.Response(200, text="here", headers={"Content-Type": "text/plain"})

    assert (await reader(answer).read(URL)).text == "here"


@pytest.mark.parametrize(
    "target",
    [
        "https://evil.example.org/x",
        "http://www.sukl.example/x",
        "https://www.sukl.example:8443/",
        "https://127.0.0.1/",
        "file:///etc/passwd",
    ],
)
async def test_a_redirect_elsewhere_is_refused(target: str) -> None:
    with pytest.raises(NotAllowed, match="another site"):
        await reader(lambda _: httpx.Response(302, headers={"Location": target})).read(URL)


async def test_redirects_end() -> None:
    with pytest.raises(NotAllowed, match="from one address to the next"):
        await reader(lambda _: httpx.Response(302, headers={"Location": "/again"})).read(URL)


@pytest.mark.parametrize(
    ("response", "error"),
    [
        (httpx.Response(200, content=b"%PDF", headers={"Content-Type": "application/pdf"}), NotAllowed),
        (httpx.Response(200, content=b"x"), NotAllowed),
        (httpx.Response(404), ServerError),
        (httpx.Response(500), ServerError),
    ],
)
async def test_what_is_no_page_is_refused(response: httpx.Response, error: type[Exception]) -> None:
    with pytest.raises(error):
        await reader(lambda _: response).read(URL)


async def test_a_silent_host_is_offline_and_a_long_page_is_cut() -> None:
    def silent(_request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused")

    with pytest.raises(Offline):
        await reader(silent).read(URL)
    long = httpx.Response(200, content=b"a" * (MOST_BYTES + 10), headers={"Content-Type": "text/plain"})
    page = await reader(lambda _: long).read(URL)
    assert (len(page.text), page.cut) == (MOST_TEXT, True)


async def test_a_page_without_end_is_given_up() -> None:
    given: list[int] = []

    async def endless() -> AsyncIterator[bytes]:
        while True:
            await asyncio.sleep(0)
            given.append(100_000)
            assert sum(given) < 3 * MOST_BYTES, "nobody stops reading"
            yield b"a" * 100_000

    page = await reader(lambda _: httpx.Response(200, content=endless(), headers={"Content-Type": "text/plain"})).read(URL)
    assert (len(page.text), page.cut) == (MOST_TEXT, True)


def searx(answer: Callable[[httpx.Request], httpx.Response]) -> SearxSearch:
    return SearxSearch("http://127.0.0.1:8888/", httpx.MockTransport(answer))


async def test_a_search_asks_for_json_and_leaves_out_what_has_no_form() -> None:
    asked: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return httpx.Response(
            200, json={"results": [{"title": "A", "url": "https://a.example/", "content": "x"}, "odd", {"title": "B"}]}
        )

    assert await searx(answer).find("ibuprofen", 5) == (WebHit("A", "https://a.example/", "x"), WebHit("B", "", ""))
    assert str(asked[0].url) == "http://127.0.0.1:8888/search?q=ibuprofen&format=json&safesearch=1"
    assert len(await searx(answer).find("ibuprofen", 1)) == 1


@pytest.mark.parametrize(
    ("response", "error"),
    [(httpx.Response(403), ServerError), (httpx.Response(200, text="<html>"), ServerError), (httpx.Response(200, json=[]), None)],
)
async def test_trouble_of_the_engine_is_told(response: httpx.Response, error: type[Exception] | None) -> None:
    if error is None:
        assert await searx(lambda _: response).find("x", 5) == ()
        return
    with pytest.raises(error):
        await searx(lambda _: response).find("x", 5)
