"""An MCP server for tests on the official SDK of either major version: `mcp_tools.py FOLDER [http PORT]`.

`FOLDER/description.txt` is the description of `shout`, `FOLDER/starts.txt` counts the starts. With `FOLDER/refuse` the server
does not start, with `FOLDER/hang` it starts and never answers. As a script it imports nothing of the program.
"""

import os
import sys
import time
from pathlib import Path
from typing import Any


def build(folder: Path) -> Any:
    """The server with its tools. SDK imports are local, so that a server that does not start imports nothing."""
    starts = folder / "starts.txt"
    starts.write_text(f"{int(starts.read_text() or 0) + 1}" if starts.exists() else "1")
    if (folder / "refuse").exists():
        raise SystemExit(3)
    while (folder / "hang").exists():
        time.sleep(0.05)
    try:
        from mcp.server.fastmcp import FastMCP as Server
    except ImportError:
        from mcp.server import MCPServer as Server  # type: ignore[assignment]

    server = Server("tools")
    described = folder / "description.txt"

    def shout(text: str) -> str:
        return text.upper()

    server.add_tool(shout, name="shout", description=described.read_text() if described.exists() else "Says it loudly.")

    @server.tool(description="Adds two numbers.")
    def add(a: int, b: int) -> int:
        return a + b

    @server.tool(description="Names of the variables of its environment.")
    def variables() -> str:
        return " ".join(sorted(os.environ))

    @server.tool(description="Says very much.")
    def flood() -> str:
        return "x" * 100_000

    @server.tool(description="Fails.")
    def fail() -> str:
        raise ValueError("no such shelf")

    @server.tool(description="Ends the server in the middle of a call.")
    def crash() -> str:
        os._exit(9)

    @server.tool(name="not.fit", description="Its name fits no model.")
    def unfit() -> str:
        return ""

    return server


def main(arguments: list[str]) -> None:
    """Serves until standard input ends, or over HTTP until killed."""
    server = build(Path(arguments[0]))
    if arguments[1:2] != ["http"]:
        server.run()
    elif hasattr(server, "settings") and hasattr(server.settings, "port"):
        server.settings.port = int(arguments[2])
        server.run(transport="streamable-http")
    else:
        server.run(transport="streamable-http", port=int(arguments[2]))


if __name__ == "__main__":
    main(sys.argv[1:])
