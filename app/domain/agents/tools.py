"""Tools, agent profiles and preprocessed mail: what an agent may call, its settings, and its input. Pure functions.

`PROFILE_TOOLS` are the built-in tools that a profile may list, with their effects, before any agent is loaded; a test compares
them with the tools.
"""

import json
import shlex
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from typing import Any

from msgspec import field

from app.domain.policy.policy import Effect
from app.domain.record import Record, replace

Json = dict[str, Any] | list[Any] | str | int | float | bool | None
"""Any JSON value."""

DEFAULT_MODEL = "gemini/gemini-2.5-pro"


def plan_hash(tool: str, arguments: Mapping[str, Any]) -> str:
    """The SHA-256 (hex) of tool name and arguments, to which an approval is bound."""
    return sha256(json.dumps([tool, dict(arguments)], sort_keys=True).encode()).hexdigest()


class CallApproval(StrEnum):
    """Whether a tool's calls need approval, or are all allowed."""

    ASK = "ask"
    ALLOW = "allow"


class NetRule(StrEnum):
    """Which rules let a `net` call run without approval. Those for searches, those for pages, or none."""

    NONE = "none"
    SEARCH = "search"
    FETCH = "fetch"


def never(_arguments: Mapping[str, Any]) -> bool:
    """No call needs approval beyond what its effect needs."""
    return False


def always(_arguments: Mapping[str, Any]) -> bool:
    """Every call needs approval."""
    return True


class ToolDefinition(Record):
    """A tool as models and policy see it.

    `parameters` is the JSON schema of the arguments. `recipient_args`, `text_args` and `attach_args` name the arguments with mail
    addresses, with text that leaves the machine, and with artifact handles. `asking` is the owner's standing choice, which never
    applies to a `send`. `asks_when` selects calls that need approval although their effect does not. `public`: its results are
    not private.
    """

    name: str
    description: str
    parameters: Mapping[str, Any]
    effect: Effect
    recipient_args: tuple[str, ...] = ()
    text_args: tuple[str, ...] = ()
    attach_args: tuple[str, ...] = ()
    asking: CallApproval = CallApproval.ASK
    asks_when: Callable[[Mapping[str, Any]], bool] = never
    net: NetRule = NetRule.NONE
    public: bool = False


class McpServer(Record):
    """A tool server: a `command` with `args` and `env`, or a `url`.

    `ask` holds the owner's choice by tool name; other tools need approval.
    """

    name: str
    command: str = ""
    args: tuple[str, ...] = ()
    env: tuple[tuple[str, str], ...] = ()
    url: str = ""
    ask: Mapping[str, CallApproval] = field(default_factory=dict)


class AgentProfile(Record):
    """An agent of the owner's making: its model settings, prompt and tools. Rules do not lead to one that is not `enabled`."""

    name: str
    system_prompt_file: Path
    system_prompt: str
    tools: tuple[str, ...]
    model: str = DEFAULT_MODEL
    max_tokens: int = 4096
    temperature: float = 0.3
    max_iterations: int = 10
    mcp_servers: tuple[McpServer, ...] = ()
    enabled: bool = True


class Preprocessed(Record):
    """A message as an agent gets it; all of it is untrusted.

    `maker` names the preprocessor, `fields` what it extracted (such as `patient_email`), `prompt` the text for the agent. `note`
    tells why the plain message is used instead, empty if it is not.
    """

    maker: str
    sender_email: str
    subject: str
    body: str
    prompt: str
    fields: Mapping[str, str] = field(default_factory=dict)
    note: str = ""


class WebHit(Record):
    title: str
    url: str
    snippet: str


class WebPage(Record):
    """A page as plain text; `cut` if there was more."""

    url: str
    title: str
    text: str
    cut: bool = False


PROFILE_TOOLS: Mapping[str, Effect] = {
    "mail_search": Effect.READ,
    "read_thread": Effect.READ,
    "get_contact": Effect.READ,
    "check_calendar": Effect.READ,
    "schedule_meeting": Effect.CALENDAR,
    "create_draft": Effect.LOCAL_WRITE,
    "send_reply": Effect.SEND,
    "escalate": Effect.LOCAL_WRITE,
    "remember": Effect.LOCAL_WRITE,
    "read_document": Effect.READ,
    "write_document": Effect.LOCAL_WRITE,
    "web_search": Effect.NET,
    "fetch_url": Effect.NET,
    "search_drugs": Effect.READ,
    "manage_reservation": Effect.LOCAL_WRITE,
}
TOOL_NAMES = frozenset(PROFILE_TOOLS)


class ServerState(StrEnum):
    """State of a tool server. `retrying` waits before its next start."""

    NEEDS_CONSENT = "needs_consent"
    STARTING = "starting"
    RUNNING = "running"
    RETRYING = "retrying"
    STOPPED = "stopped"


class ToolState(StrEnum):
    """`agreed` tools are offered. `new` and `changed` ones wait for the owner. `unfit` tools can never be offered."""

    AGREED = "agreed"
    NEW = "new"
    CHANGED = "changed"
    UNFIT = "unfit"


class ServerTool(Record):
    """A tool as its server describes it; the text is untrusted. `digest` covers the description and schema."""

    name: str
    description: str
    digest: str
    state: ToolState
    asking: CallApproval


class ServerStatus(Record):
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


def launch_of(server: McpServer) -> str:
    told = [server.command, list(server.args), sorted(server.env), server.url]
    return sha256(json.dumps(told, ensure_ascii=False).encode()).hexdigest()


def hidden(profile: AgentProfile) -> AgentProfile:
    """The profile without the values of its servers' variables, as the window gets it."""
    servers = (replace(server, env=tuple((name, "") for name, _ in server.env)) for server in profile.mcp_servers)
    return replace(profile, mcp_servers=tuple(servers))


def revealed(profile: AgentProfile, known: Iterable[AgentProfile]) -> AgentProfile:
    """Undoes `hidden` for servers that a known profile has too."""
    pairs = [pair for one in known for pair in zip(hidden(one).mcp_servers, one.mcp_servers, strict=True)]
    servers = (next((whole for shown, whole in pairs if shown == server), server) for server in profile.mcp_servers)
    return replace(profile, mcp_servers=tuple(servers))


def line_of(server: McpServer) -> str:
    """The command line or address, without values of variables."""
    return server.url or shlex.join((server.command, *server.args))


def digest_of(name: str, description: str, schema: Mapping[str, Any]) -> str:
    """The SHA-256 (hex) of everything a model is told about a tool."""
    return sha256(json.dumps([name, description, schema], sort_keys=True, ensure_ascii=False).encode()).hexdigest()
