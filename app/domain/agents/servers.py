"""MCP servers in words: what is started, what the owner agreed to, how each stands. Pure.

Consent is given to one launch line (or address), not to a name: a changed line asks again. Each tool's description and schema is
pinned by its sha256 when it is agreed to; a changed one is off until the owner agrees again.
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
    """Where a server is: it waits for consent, starts, answers, waits before its next start, or is off."""

    NEEDS_CONSENT = "needs_consent"
    STARTING = "starting"
    RUNNING = "running"
    RETRYING = "retrying"
    STOPPED = "stopped"


class ToolState(StrEnum):
    """`agreed` tools are offered; `new` and `changed` ones wait for the owner; `unfit` ones can never be offered."""

    AGREED = "agreed"
    NEW = "new"
    CHANGED = "changed"
    UNFIT = "unfit"


@dataclass(frozen=True, slots=True)
class ServerTool:
    """A tool as its server describes it. The words are a stranger's. `digest` names the description and schema."""

    name: str
    description: str
    digest: str
    state: ToolState
    asking: CallApproval


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """One server of one profile. `launch` is its fingerprint, `line` what would be started; `detail` the reason of the last
    failure."""

    profile: str
    server: str
    launch: str
    line: str
    env_names: tuple[str, ...]
    state: ServerState
    detail: str = ""
    tools: tuple[ServerTool, ...] = ()


class Consents(Protocol):
    """What the owner agreed to, kept."""

    def granted(self, launch: str) -> bool:
        """Whether this launch may be started."""

    def pins(self, launch: str) -> Mapping[str, str] | None:
        """Digests by tool name; None before the first listing."""

    def pin(self, launch: str, pins: Mapping[str, str]) -> None:
        """Agree to these tools, in place of older pins of the same names."""


def launch_of(server: McpServer) -> str:
    """The fingerprint of what would be started."""
    told = [server.command, list(server.args), sorted(server.env), server.url]
    return sha256(json.dumps(told, ensure_ascii=False).encode()).hexdigest()


def line_of(server: McpServer) -> str:
    """What would be started, in one line; values of variables are not in it."""
    return server.url or shlex.join((server.command, *server.args))


def digest_of(name: str, description: str, schema: Mapping[str, Any]) -> str:
    """The sha256 (hex) of all that a model is told of a tool."""
    return sha256(json.dumps([name, description, schema], sort_keys=True, ensure_ascii=False).encode()).hexdigest()
