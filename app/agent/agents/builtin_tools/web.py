"""Tools `web_search` and `fetch_url`, if the owner configured a search engine or allowed sites. Policy checks what may go out.

Results are written by strangers, but hold no private data of the owner.
"""

from collections.abc import Iterable

from app.agent.agents.builtin_tools.case import Case
from app.agent.tools.execution import RegisteredTool
from app.agent.tools.registry import a_text, an_object
from app.domain.agents.egress import LONGEST_SEARCH, LONGEST_URL
from app.domain.agents.tools import Json, NetRule, ToolDefinition
from app.domain.policy.policy import Effect

MOST_HITS = 8

SEARCH = ToolDefinition(
    "web_search",
    "Search the web with general words: no names, addresses, numbers or sentences of the mail.",
    an_object(("query",), query=a_text("A few words.", LONGEST_SEARCH)),
    Effect.NET,
    text_args=("query",),
    net=NetRule.SEARCH,
    public=True,
)
FETCH = ToolDefinition(
    "fetch_url",
    "Read one page of a site that the owner allowed, as plain text.",
    an_object(("url",), url=a_text("The address, https only.", LONGEST_URL)),
    Effect.NET,
    text_args=("url",),
    net=NetRule.FETCH,
    public=True,
)


def web_tools(case: Case) -> Iterable[RegisteredTool]:
    """The tools that are configured."""
    web, reader = case.toolbox.web, case.toolbox.reader

    async def web_search(query: str) -> Json:
        assert web is not None, "it is not offered without"
        hits = await web.find(query, MOST_HITS)
        return {"results": [{"title": one.title, "url": one.url, "snippet": one.snippet} for one in hits]}

    async def fetch_url(url: str) -> Json:
        assert reader is not None, "it is not offered without"
        page = await reader.read(url)
        return {"url": page.url, "title": page.title, "text": page.text, "cut": page.cut}

    if web is not None:
        yield RegisteredTool(SEARCH, web_search)
    if reader is not None:
        yield RegisteredTool(FETCH, fetch_url)
