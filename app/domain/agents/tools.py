"""Tools, profiles and preprocessors in words: what an agent may call, how it is set up, what it is given of a mail. Pure.

The program's own tools by name: what a profile may list before any agent is loaded. A test compares them with the tools.
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
"""Whatever JSON can hold."""

DEFAULT_MODEL = "gemini/gemini-2.5-pro"


def plan_hash(tool: str, arguments: Mapping[str, Any]) -> str:
    """What an approval is good for: the sha256 (hex) of the tool's name and arguments."""
    return sha256(json.dumps([tool, dict(arguments)], sort_keys=True).encode()).hexdigest()


class CallApproval(StrEnum):
    """Whether the owner has the word on each call of a tool that would ask, or has said yes to all of them."""

    ASK = "ask"
    ALLOW = "allow"


class NetRule(StrEnum):
    """Which rules let a call of effect `net` go without asking: those for searches, for pages, or none."""

    NONE = "none"
    SEARCH = "search"
    FETCH = "fetch"


def never(_arguments: Mapping[str, Any]) -> bool:
    """No call asks beyond what its effect asks for."""
    return False


def always(_arguments: Mapping[str, Any]) -> bool:
    """Every call asks."""
    return True


@dataclass(frozen=True, slots=True)
class ToolDefinition:
    """What the model is told of a tool and what policy looks at. `parameters` is the JSON schema of its arguments.

    `recipient_args`, `text_args` and `attach_args` name the arguments that hold mail addresses, words that leave the machine, and
    artifact handles. `asking`: the owner's standing word, which never holds for a `send`. `asks_when` tells the calls that ask
    although their effect would not. `public`: what it returns is no secret of the owner's.
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
    """A server of tools: a `command` with `args` and `env` to start, or a `url`. `ask` holds the owner's word by tool name; one
    that is not in it asks."""

    name: str
    command: str = ""
    args: tuple[str, ...] = ()
    env: tuple[tuple[str, str], ...] = ()
    url: str = ""
    ask: Mapping[str, CallApproval] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AgentProfile:
    """An agent for some kind of mail: its model settings, its instructions and the tools it may use."""

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
    """A mail as an agent is given it. `maker` names the preprocessor, `fields` what it took out of the mail (such as
    `patient_email`), `prompt` the words for the agent; `note` says why it fell back to the plain mail, empty where it did not.
    All of it is the sender's word."""

    maker: str
    sender_email: str
    subject: str
    body: str
    prompt: str
    fields: Mapping[str, str] = field(default_factory=dict)
    note: str = ""


class Preprocessor(Protocol):
    """Makes an agent's input of a mail."""

    @property
    def name(self) -> str:
        """As `Preprocessed.maker` has it."""

    def matches(self, message: Message) -> bool:
        """Whether the mail is of its kind."""

    def run(self, message: Message) -> Preprocessed:
        """The mail as the agent gets it; with a note where it is not of its form after all."""


@dataclass(frozen=True, slots=True)
class WebHit:
    """A hit of a search on the web."""

    title: str
    url: str
    snippet: str


@dataclass(frozen=True, slots=True)
class WebPage:
    """A page as plain text; `cut` says that there was more."""

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
