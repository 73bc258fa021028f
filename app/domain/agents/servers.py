"""Tool servers (MCP): what is started, what the owner agreed to, and their state. Pure functions.

Consent is for one launch line (or address), not for a name, so a changed line needs consent again. Each tool's description and
schema is pinned by its SHA-256; a changed tool is off until the owner agrees again.
"""

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import Any, Protocol

from app.domain.agents.tools import CallApproval, McpServer


class ServerState(StrEnum):
    """State of a tool server. `retrying` waits before its next start."""

    NEEDS_CONSENT = "needs_consent"
    STARTING = "starting"
    RUNNING = "running"
    RETRYING = "retrying"
    STOPPED = "stopped"


class ToolState(StrEnum):
    """`agreed` tools are offered. `new` and `changed` ones wait for the owner.

    `unfit` tools can never be offered.
    """

    AGREED = "agreed"
    NEW = "new"
    CHANGED = "changed"
    UNFIT = "unfit"


@dataclass(frozen=True, slots=True)
class ServerTool:
    """A tool as its server describes it; the text is untrusted.

    `digest` covers the description and schema.
    """

    name: str
    description: str
    digest: str
    state: ToolState
    asking: CallApproval


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """One server of one profile.

    `launch` is its fingerprint, `line` the command line or address, `detail` the reason of the last failure.
    """

    profile: str
    server: str
    launch: str
    line: str
    env_names: tuple[str, ...]
    state: ServerState
    detail: str = ""
    tools: tuple[ServerTool, ...] = ()


class Consents(Protocol):
    """Stores what the owner agreed to."""

    def granted(self, launch: str) -> bool:
        """Whether this launch may be started."""

    def pins(self, launch: str) -> Mapping[str, str] | None:
        """Digests by tool name; None before the first listing."""

    def pin(self, launch: str, pins: Mapping[str, str]) -> None:
        """Stores consent to these tools, replacing pins of the same names."""


def launch_of(server: McpServer) -> str:
    """The fingerprint of the command or address."""
    told = [server.command, list(server.args), sorted(server.env), server.url]
    return sha256(json.dumps(told, ensure_ascii=False).encode()).hexdigest()


def line_of(server: McpServer) -> str:
    """The command line or address, without values of variables."""
    return server.url or shlex.join((server.command, *server.args))


def digest_of(name: str, description: str, schema: Mapping[str, Any]) -> str:
    """The SHA-256 (hex) of everything a model is told about a tool."""
    return sha256(json.dumps([name, description, schema], sort_keys=True, ensure_ascii=False).encode()).hexdigest()
