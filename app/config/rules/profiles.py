"""Reads agent profiles from `agent.profiles` of the rules file, with their prompts. Errors name file and line.

Only reads; no server is started or contacted. A prompt's path is relative to the rules file, else to the program's resources.
"""

import json
import re
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

from app.config.paths import resource
from app.config.rules.rules import FILE_KEYS, rules_of
from app.config.rules.yaml_lines import YamlSection, parse_yaml
from app.config.user_files import plain_text, read_text
from app.domain.agents.routing import RoutingRule
from app.domain.agents.tools import DEFAULT_MODEL, AgentProfile, CallApproval, McpServer
from app.domain.error_texts import Cause
from app.domain.errors import BadFile
from app.domain.record import replace

LIMITS = ("max_tokens", "temperature", "max_iterations")
PROFILE_KEYS = ("model", *LIMITS, "enabled", "system_prompt_file", "tools", "mcp_servers")
PASTED_KEYS = ("type", "command", "args", "env", "url")
"""Keys of a server in the JSON of other programs. Standing approvals are not among them: those are the owner's alone."""
PASTED_TYPES = ("stdio", "http", "streamable-http", "streamableHttp")
SERVER_KEYS = ("command", "args", "env", "url", "tools")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*(?:_[A-Za-z0-9-]+)*")
"""Names without a double underscore, which separates a server from its tool."""
LONGEST_SERVER_NAME = 24
LONGEST_PROMPT = 100_000
LOOPBACK = ("127.0.0.1", "localhost", "::1")


def load_routing(path: Path, known_tools: Collection[str] | None) -> tuple[tuple[RoutingRule, ...], tuple[AgentProfile, ...]]:
    """Rules and profiles of the file; empty for a missing file. Raises `BadFile`.

    `known_tools` are the names a profile may list, None where they are not known yet.
    """
    return parse_routing(read_text(path), path, known_tools)


def parse_routing(
    text: str, path: Path, known_tools: Collection[str] | None
) -> tuple[tuple[RoutingRule, ...], tuple[AgentProfile, ...]]:
    """Checks `text` as the contents of `path`. Raises `BadFile`."""
    document = parse_yaml(text, path)
    if document is None:
        return (), ()
    rules, profiles = rules_of(document), profiles_of(document, known_tools)
    known = {profile.name for profile in profiles}
    for index, rule in enumerate(rules):
        if rule.profile and rule.profile not in known:
            entry = YamlSection(document.path, document.entry["routing"]["rules"][index], "a rule")
            if not known:
                raise entry.error("profile", Cause.NO_PROFILES, rule.profile)
            raise entry.error("profile", Cause.UNKNOWN_PROFILE, rule.profile, ", ".join(sorted(known)))
    return rules, profiles


def profiles_of(document: YamlSection, known_tools: Collection[str] | None) -> tuple[AgentProfile, ...]:
    """The profiles of a whole document, in order. Raises `BadFile`."""
    document.known(FILE_KEYS)
    agent = document.section("agent")
    if agent is not None:
        agent.known(("profiles",))
    listed = agent.section("profiles") if agent is not None else None
    return () if listed is None else tuple(_profile(listed, name, known_tools) for name in listed.names)


def _profile(listed: YamlSection, name: str, known_tools: Collection[str] | None) -> AgentProfile:
    if not check_name(name):
        raise listed.error(name, Cause.NO_PROFILE_NAME, name)
    entry = listed.section(name)
    if entry is None:
        raise listed.error(name, Cause.PROFILE_EMPTY, name)
    entry.known(PROFILE_KEYS)
    if "tools" not in entry:
        raise listed.error(name, Cause.PROFILE_WITHOUT_TOOLS, name)
    prompt_file, prompt = _prompt(entry)
    servers = entry.section("mcp_servers")
    profile = AgentProfile(
        name=name,
        system_prompt_file=prompt_file,
        system_prompt=prompt,
        tools=_tools(entry, known_tools),
        mcp_servers=() if servers is None else tuple(_server(servers, name) for name in servers.names),
    )
    return replace(
        profile,
        model=entry.text("model") if "model" in entry else DEFAULT_MODEL,
        max_tokens=int(entry.number("max_tokens", profile.max_tokens, 1, 1_000_000)),
        temperature=entry.number("temperature", profile.temperature, 0, 2),
        max_iterations=int(entry.number("max_iterations", profile.max_iterations, 1, 100)),
        enabled=entry.switch("enabled", True),
    )


def _prompt(entry: YamlSection) -> tuple[Path, str]:
    """The prompt's file and its text."""
    key = "system_prompt_file"
    named = Path(entry.text(key))
    path = entry.path.parent / named
    try:
        path = entry.path.parent / named.expanduser()
        if not path.exists() and not named.is_absolute() and ".." not in named.parts:
            with suppress(FileNotFoundError):
                path = resource(*named.parts)
        text = plain_text(path)
    except UnicodeDecodeError as error:
        raise entry.error(key, Cause.PROMPT_NOT_UTF8, path) from error
    except (OSError, ValueError, RuntimeError) as error:  # no file name, or no such user
        raise entry.error(key, Cause.PROMPT_UNREADABLE, path, getattr(error, "strerror", None) or error) from error
    if not text.strip() or len(text) > LONGEST_PROMPT:
        raise entry.error(key, Cause.PROMPT_LENGTH, path, LONGEST_PROMPT)
    return path, text


def _tools(entry: YamlSection, known_tools: Collection[str] | None) -> tuple[str, ...]:
    """The listed tools; each must be known and listed once."""
    names = entry.texts("tools", "tools: [search_drugs, escalate]")
    for name in names:
        if known_tools is not None and name not in known_tools:
            raise entry.error("tools", Cause.UNKNOWN_TOOL, name, ", ".join(sorted(known_tools)))
        if names.count(name) > 1:
            raise entry.error("tools", Cause.TOOL_TWICE, name)
    return names


def pasted_servers(text: str) -> tuple[McpServer, ...]:
    """The tool servers in JSON as other programs have it: `{"mcpServers": {...}}`. Raises `BadFile` with line and key."""
    where = "JSON"
    try:
        json.loads(text)
    except (ValueError, RecursionError) as error:
        line = error.lineno if isinstance(error, json.JSONDecodeError) else 0
        raise BadFile(where, line, Cause.SERVERS_NOT_JSON, getattr(error, "msg", type(error).__name__)) from error
    document = parse_yaml(text.replace("\t", " "), Path(where))  # JSON is YAML but for tabs; this gives the lines of keys
    listed = document.section("mcpServers") if document is not None else None
    if document is None or listed is None or not listed.names:
        raise BadFile(where, 1, Cause.NO_MCP_SERVERS)
    for name in listed.names:
        entry = listed.section(name)
        if entry is None:
            continue
        entry.known(PASTED_KEYS)
        if "type" in entry and entry.text("type") not in PASTED_TYPES:
            raise entry.error("type", Cause.SERVER_TYPE, entry.text("type"), ", ".join(PASTED_TYPES[:2]))
        entry.entry.pop("type", None)
    return tuple(_server(listed, name) for name in listed.names)


def _server(listed: YamlSection, name: str) -> McpServer:
    if not check_name(name):
        raise listed.error(name, Cause.NO_SERVER_NAME, name)
    if len(name) > LONGEST_SERVER_NAME:
        raise listed.error(name, Cause.SERVER_NAME_TOO_LONG, name, LONGEST_SERVER_NAME)
    entry = listed.section(name)
    if entry is None or ("command" in entry) == ("url" in entry):
        raise listed.error(name, Cause.COMMAND_OR_URL, name)
    entry.known(SERVER_KEYS)
    if "url" in entry:
        for key in ("args", "env"):
            if key in entry:
                raise entry.error(key, Cause.URL_SERVER_HAS_NO, key)
        return McpServer(name, url=_address(entry), ask=_tool_approvals(entry))
    args = entry.texts("args", "args: [--folder, notes]")
    variables = entry.section("env")
    environment = () if variables is None else tuple((str(key), variables.text(key)) for key in variables.entry)
    return McpServer(name, entry.text("command"), args, environment, ask=_tool_approvals(entry))


def _address(entry: YamlSection) -> str:
    """The URL: https, or http on this machine; without user name and password."""
    url = entry.text("url")
    try:
        parts = urlsplit(url)
        local = parts.hostname in LOOPBACK
        safe = parts.hostname and parts.port != 0 and parts.scheme in ("https", *(("http",) if local else ()))
    except ValueError as error:
        raise entry.error("url", Cause.NO_ADDRESS, error, "https://tools.example.org/mcp") from error
    if not safe:
        raise entry.error("url", Cause.ADDRESS_NOT_SAFE)
    if "@" in parts.netloc:
        raise entry.error("url", Cause.ADDRESS_WITH_PASSWORD)
    return url


def _tool_approvals(entry: YamlSection) -> dict[str, CallApproval]:
    """The owner's standing approval of single tools."""
    approvals = entry.section("tools")
    if approvals is None:
        return {}
    found = {}
    for name in approvals.entry:
        approval = approvals.text(name)
        if approval not in list(CallApproval):
            raise approvals.error(name, Cause.UNKNOWN_APPROVAL, approval, ", ".join(CallApproval))
        found[str(name)] = CallApproval(approval)
    return found


def check_name(name: str) -> bool:
    """Whether a name can be part of a tool's name."""
    return NAME.fullmatch(name) is not None and len(name) <= 64
