"""An MCP server for tests: `mcp_tools.py FOLDER [sdk | http PORT]`, which imports nothing of the program.

With `sdk` and `http` it runs on the official SDK of either major version, whose import takes 2 s. Else it speaks the protocol.
`FOLDER/description.txt` is the description of `shout`, `FOLDER/starts.txt` counts the starts. With `FOLDER/refuse` the server
does not start, with `FOLDER/hang` it starts and never answers.
"""

import inspect
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any


def shout(text: str) -> str:
    return text.upper()


def add(a: int, b: int) -> int:
    return a + b


def variables() -> str:
    return " ".join(sorted(os.environ))


def flood() -> str:
    return "x" * 100_000


def fail() -> str:
    raise ValueError("no such shelf")


def crash() -> str:
    os._exit(9)


def unfit() -> str:
    return ""


Tools = dict[str, tuple[str, Callable[..., Any]]]
TOOLS: Tools = {
    "add": ("Adds two numbers.", add),
    "variables": ("Names of the variables of its environment.", variables),
    "flood": ("Says very much.", flood),
    "fail": ("Fails.", fail),
    "crash": ("Ends the server in the middle of a call.", crash),
    "not.fit": ("Its name fits no model.", unfit),
}
KINDS = {str: "string", int: "integer"}


def begun(folder: Path) -> Tools:
    """Counts the start and returns the tools."""
    starts = folder / "starts.txt"
    starts.write_text(f"{int(starts.read_text() or 0) + 1}" if starts.exists() else "1")
    if (folder / "refuse").exists():
        raise SystemExit(3)
    while (folder / "hang").exists():
        time.sleep(0.05)
    described = folder / "description.txt"
    return {"shout": (described.read_text() if described.exists() else "Says it loudly.", shout), **TOOLS}


def sdk_server(tools: Tools) -> Any:
    """The tools on the official SDK."""
    try:
        from mcp.server.fastmcp import FastMCP as Server
    except ImportError:
        from mcp.server import MCPServer as Server  # type: ignore[assignment]

    server = Server("tools")
    for name, (description, work) in tools.items():
        server.add_tool(work, name=name, description=description)
    return server


def listed(name: str, description: str, work: Callable[..., Any]) -> dict[str, Any]:
    """A tool as the protocol lists it."""
    given = {one.name: {"type": KINDS[one.annotation]} for one in inspect.signature(work).parameters.values()}
    schema = {"type": "object", "properties": given, "required": [*given]}
    return {"name": name, "description": description, "inputSchema": schema}


def answer(tools: Tools, method: str, params: dict[str, Any]) -> dict[str, Any]:
    """The result of one request."""
    if method == "initialize":
        return {
            "protocolVersion": params["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "tools", "version": "1"},
        }
    if method == "tools/list":
        return {"tools": [listed(name, *tool) for name, tool in tools.items()]}
    if method != "tools/call":
        return {}
    try:
        text, failed = str(tools[params["name"]][1](**params["arguments"])), False
    except ValueError as error:
        text, failed = str(error), True
    return {"content": [{"type": "text", "text": text}], "isError": failed}


def speak(tools: Tools) -> None:
    """Answers requests, one a line, until standard input ends."""
    for line in sys.stdin:
        asked = json.loads(line)
        if "id" in asked and "method" in asked:
            result = answer(tools, asked["method"], asked.get("params") or {})
            print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)


def main(arguments: list[str]) -> None:
    """Serves until standard input ends, or over HTTP until killed."""
    tools = begun(Path(arguments[0]))
    if not arguments[1:]:
        speak(tools)
        return
    server = sdk_server(tools)
    if arguments[1] == "sdk":
        server.run()
    elif hasattr(server, "settings") and hasattr(server.settings, "port"):
        server.settings.port = int(arguments[2])
        server.run(transport="streamable-http")
    else:
        server.run(transport="streamable-http", port=int(arguments[2]))


if __name__ == "__main__":
    main(sys.argv[1:])
