"""Tools and their servers: hashes of calls, digests of what would be started."""

from hypothesis import given
from hypothesis import strategies as st

from app.domain.agents.tools import McpServer, always, digest_of, launch_of, line_of, never, plan_hash

ARGUMENTS = st.dictionaries(st.text(max_size=5), st.one_of(st.integers(), st.text(max_size=5), st.booleans()), max_size=3)


@given(st.text(max_size=5), ARGUMENTS)
def test_the_order_of_arguments_does_not_matter(tool: str, arguments: dict[str, object]) -> None:
    assert plan_hash(tool, arguments) == plan_hash(tool, dict(reversed(arguments.items())))


def test_another_call_has_another_hash() -> None:
    hashes = {
        plan_hash("a", {}),
        plan_hash("b", {}),
        plan_hash("a", {"x": 1}),
        plan_hash("a", {"x": "1"}),
        plan_hash("a", {"x": True}),
    }
    assert len(hashes) == 5


def test_tools_ask_always_or_never() -> None:
    assert always({})
    assert not never({})


def test_whatever_would_be_started_is_in_the_fingerprint() -> None:
    base = McpServer("a", "npx", ("-y", "x"), (("K", "v"),))
    others = [
        McpServer("a", "npx2", ("-y", "x"), (("K", "v"),)),
        McpServer("a", "npx", ("-y x",), (("K", "v"),)),
        McpServer("a", "npx", ("-y", "x"), (("K", "w"),)),
        McpServer("a", url="https://npx"),
    ]
    assert len({launch_of(one) for one in (base, *others)}) == 5
    assert launch_of(base) == launch_of(McpServer("b", "npx", ("-y", "x"), (("K", "v"),)))


def test_the_line_is_what_a_shell_would_take_and_holds_no_variables() -> None:
    assert line_of(McpServer("a", "npx", ("my notes",), (("KEY", "secret"),))) == "npx 'my notes'"
    assert line_of(McpServer("a", url="https://x.example/mcp")) == "https://x.example/mcp"


def test_a_digest_names_words_and_schema_in_any_order() -> None:
    first = digest_of("a", "b", {"type": "object", "properties": {}})
    assert first == digest_of("a", "b", {"properties": {}, "type": "object"})
    assert len({first, digest_of("a", "c", {"type": "object", "properties": {}}), digest_of("a", "b", {"type": "object"})}) == 3
