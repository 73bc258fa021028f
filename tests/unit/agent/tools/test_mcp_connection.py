"""What of a listing and of results reaches a model: fit tools alone, bounded texts, other parts by their kind."""

from typing import Any

import pytest
from mcp.types import Tool

from app.agent.tools.mcp_servers import listed
from app.domain.agents.tools import CallApproval, McpServer, ToolState

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
