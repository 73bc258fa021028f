"""Tools, agent profiles and preprocessors: what an agent may call, its settings, and its input. Pure functions.

`TOOL_NAMES` are the built-in tools that a profile may list before any agent is loaded; a test compares them with the tools.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol

from app.domain.mail.message import Message
from app.domain.policy.policy import Effect

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
    """Which rules let a `net` call run without approval.

    Those for searches, those for pages, or none.
    """

    NONE = "none"
    SEARCH = "search"
    FETCH = "fetch"


def never(_arguments: Mapping[str, Any]) -> bool:
    """No call needs approval beyond what its effect needs."""
    return False


def always(_arguments: Mapping[str, Any]) -> bool:
    """Every call needs approval."""
    return True


@dataclass(frozen=True, slots=True)
class ToolDefinition:
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


@dataclass(frozen=True, slots=True)
class McpServer:
    """A tool server: a `command` with `args` and `env`, or a `url`.

    `ask` holds the owner's choice by tool name; other tools need approval.
    """

    name: str
    command: str = ""
    args: tuple[str, ...] = ()
    env: tuple[tuple[str, str], ...] = ()
    url: str = ""
    ask: Mapping[str, CallApproval] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AgentProfile:
    """An agent of the owner's making: its model settings, prompt and tools."""

    name: str
    system_prompt_file: Path
    system_prompt: str
    tools: tuple[str, ...]
    model: str = DEFAULT_MODEL
    max_tokens: int = 4096
    temperature: float = 0.3
    max_iterations: int = 10
    mcp_servers: tuple[McpServer, ...] = ()


@dataclass(frozen=True, slots=True)
class Preprocessed:
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


class Preprocessor(Protocol):
    """Makes an agent's input from a message."""

    @property
    def name(self) -> str:
        """The value of `Preprocessed.maker`."""

    def matches(self, message: Message) -> bool:
        """Whether the message is of its kind."""

    def run(self, message: Message) -> Preprocessed:
        """Returns the input, with a note if the message does not have the expected form."""


@dataclass(frozen=True, slots=True)
class WebHit:
    """A web search result."""

    title: str
    url: str
    snippet: str


@dataclass(frozen=True, slots=True)
class WebPage:
    """A page as plain text; `cut` if there was more."""

    url: str
    title: str
    text: str
    cut: bool = False


TOOL_NAMES = frozenset(
    {
        "check_calendar",
        "create_draft",
        "escalate",
        "fetch_url",
        "get_contact",
        "mail_search",
        "manage_reservation",
        "read_document",
        "read_thread",
        "remember",
        "schedule_meeting",
        "search_drugs",
        "send_reply",
        "web_search",
        "write_document",
    }
)
