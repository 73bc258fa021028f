"""What of a listing and of results reaches a model: fit tools alone, bounded texts, other parts by their kind."""

from typing import Any

import pytest
from mcp.types import CallToolResult, ImageContent, TextContent, Tool

from app.agent.tools.mcp_connection import LONGEST_TEXT, as_result, definition, listed
from app.domain.agents.tools import CallApproval, McpServer, ToolState, digest_of
from app.domain.policy.policy import Effect

SERVER = McpServer("files", "npx", ask={"read": CallApproval.ALLOW})
SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}, "lines": {"type": "integer"}}}


def tool(name: str = "read", schema: dict[str, Any] = SCHEMA) -> Tool:
    return Tool(name=name, description="Reads.", input_schema=schema)


@pytest.mark.parametrize(
    ("one", "state"),
    [
        (tool(), ToolState.AGREED),
        (tool("not.fit"), ToolState.UNFIT),
        (tool("x" * 60), ToolState.UNFIT),
        (tool(schema={"type": "string"}), ToolState.UNFIT),
        (tool(schema={"type": "object", "properties": 3}), ToolState.UNFIT),
        (tool(schema={"type": "object", "description": "x" * 50_000}), ToolState.UNFIT),
        (tool(schema={"type": "object", "properties": {"a": {"$ref": "http://169.254.169.254/x"}}}), ToolState.UNFIT),
    ],
)
def test_only_what_a_model_can_be_offered_is_fit(one: Tool, state: ToolState) -> None:
    assert listed(SERVER, one, None).state is state


def test_pins_tell_agreed_changed_and_new_apart() -> None:
    digest = digest_of("read", "Reads.", SCHEMA)
    states = [listed(SERVER, tool(), pins).state for pins in ({"read": digest}, {"read": "0"}, {})]
    assert states == [ToolState.AGREED, ToolState.CHANGED, ToolState.NEW]


def test_a_tool_reaches_the_net_and_asks_unless_its_owner_said_so() -> None:
    read, write = definition(SERVER, tool()), definition(SERVER, tool("write"))
    assert (read.name, read.effect, read.text_args) == ("files__read", Effect.NET, ("path",))
    assert (read.asking, write.asking) == (CallApproval.ALLOW, CallApproval.ASK)


def test_results_are_bounded_and_say_what_was_left_out() -> None:
    image = ImageContent(type="image", data="aGk=", mime_type="image/png")
    assert as_result(CallToolResult(content=[TextContent(type="text", text="a"), image])) == {"text": "a", "left_out": ["image"]}
    long = as_result(CallToolResult(content=[TextContent(type="text", text="x" * (LONGEST_TEXT + 1))]))
    assert long == {"text": "x" * LONGEST_TEXT, "truncated": True}
    assert as_result(CallToolResult(content=[], structured_content={"a": 1})) == {"text": "", "structured": {"a": 1}}
    assert as_result(CallToolResult(content=[TextContent(type="text", text="no")], is_error=True)) == {"error": "no"}
    assert as_result(CallToolResult(content=[], is_error=True)) == {"error": "The tool failed."}
