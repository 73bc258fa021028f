"""A server's listing and results in the program's words: fit tools with their digests, results as bounded JSON.

Refuses tools whose names or schemas no model could be offered, and schemas that would have us fetch others.
"""

import re
from collections.abc import Mapping
from typing import Any

from mcp.types import CallToolResult, TextContent, Tool

from app.agent.schemas import stranger_fault
from app.domain.policy import Effect
from app.domain.servers import ServerTool, ToolState, digest_of
from app.domain.tools import Asking, Json, McpServer, ToolDefinition

LONGEST_TEXT = 20_000
LONGEST_DESCRIPTION = 4_000
LONGEST_SCHEMA = 40_000
FIT_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


def full_name(server: McpServer, tool: str) -> str:
    """What the model calls it by."""
    return f"{server.name}__{tool}"


def listed(server: McpServer, tool: Tool, pins: Mapping[str, str] | None) -> ServerTool:
    """A tool with its state; without pins (the first listing) a fit tool is agreed to."""
    description = tool.description or ""
    digest = digest_of(tool.name, description, tool.input_schema)
    asking = server.ask.get(tool.name, Asking.ASK)
    return ServerTool(tool.name, description[:LONGEST_DESCRIPTION], digest, _state(server, tool, digest, pins), asking)


def definition(server: McpServer, tool: Tool) -> ToolDefinition:
    """The tool for the registry: it reaches the net, asks by default, and every text it is given leaves the machine."""
    properties = tool.input_schema.get("properties", {})
    texts = tuple(name for name, schema in properties.items() if isinstance(schema, dict) and schema.get("type") == "string")
    return ToolDefinition(
        name=full_name(server, tool.name),
        description=(tool.description or "")[:LONGEST_DESCRIPTION],
        parameters=tool.input_schema,
        effect=Effect.NET,
        text_args=texts,
        asking=server.ask.get(tool.name, Asking.ASK),
    )


def as_result(result: CallToolResult) -> Json:
    """What the model is told: texts and structured content, cut; other parts by their kind alone."""
    texts = [part.text for part in result.content if isinstance(part, TextContent)]
    others = [part.type for part in result.content if not isinstance(part, TextContent)]
    text = "\n".join(texts)
    told: dict[str, Any] = {"text": text[:LONGEST_TEXT]}
    if len(text) > LONGEST_TEXT:
        told["truncated"] = True
    if result.structured_content is not None and not texts:
        told["structured"] = result.structured_content
    if others:
        told["left_out"] = others
    return {"error": told["text"] or "The tool failed."} if result.is_error else told


def _state(server: McpServer, tool: Tool, digest: str, pins: Mapping[str, str] | None) -> ToolState:
    if not _fit(server, tool):
        return ToolState.UNFIT
    if pins is None or pins.get(tool.name) == digest:
        return ToolState.AGREED
    return ToolState.CHANGED if tool.name in pins else ToolState.NEW


def _fit(server: McpServer, tool: Tool) -> bool:
    """Whether a model could be offered it."""
    schema = tool.input_schema
    if FIT_NAME.fullmatch(full_name(server, tool.name)) is None or len(str(schema)) > LONGEST_SCHEMA:
        return False
    if stranger_fault(schema):
        return False
    return schema.get("type") == "object" and isinstance(schema.get("properties", {}), dict)
