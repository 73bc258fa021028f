"""What an owner agrees to: a launch line is its command, arguments, variables and address; a tool is all that a model is told."""

from app.domain.agents.tools import McpServer, digest_of, launch_of, line_of


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
