"""Profiles: defaults, prompts from files, servers, and that each fault names its line and remedy."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.config.rules.profiles import load_routing, parse_routing, pasted_servers
from app.domain.agents.tools import AgentProfile, CallApproval, McpServer
from app.domain.errors import BadFile

KNOWN = ("search_drugs", "manage_reservation", "web_search", "send_reply", "create_draft", "escalate")
SPEC = """routing:
  rules:
    - name: pharmacy_support
      match:
        forwarded_from: "info@dostupnost-leku.cz"
      route: agent
      profile: pharmacy
    - name: default
      match:
        all: true
      route: pipeline
agent:
  profiles:
    pharmacy:
      model: gemini/gemini-2.5-pro
      max_tokens: 4096
      temperature: 0.3
      max_iterations: 10
      system_prompt_file: config/prompts/pharmacy.txt
      tools:
        - search_drugs
        - manage_reservation
        - web_search
        - send_reply
        - create_draft
        - escalate
"""
HEAD = "agent:\n  profiles:\n    shop:\n      system_prompt_file: shop.txt\n      tools: [escalate]\n"
SERVER = HEAD + "      mcp_servers:\n        files:\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "shop.txt").write_text("Be kind.\n", encoding="utf-8")
    prompts = tmp_path / "config" / "prompts"
    prompts.mkdir(parents=True)
    (prompts / "pharmacy.txt").write_text("You help.", encoding="utf-8")
    return tmp_path


def profiles(folder: Path, text: str) -> tuple[AgentProfile, ...]:
    (folder / "routing.yaml").write_text(text, encoding="utf-8")
    return load_routing(folder / "routing.yaml", KNOWN)[1]


def test_a_whole_file_of_rules_and_profiles(folder: Path) -> None:
    (folder / "routing.yaml").write_text(SPEC, encoding="utf-8")
    rules, (pharmacy,) = load_routing(folder / "routing.yaml", KNOWN)
    assert [(rule.name, rule.profile) for rule in rules] == [("pharmacy_support", "pharmacy"), ("default", "")]
    assert (pharmacy.name, pharmacy.system_prompt, pharmacy.tools) == ("pharmacy", "You help.", KNOWN)
    assert pharmacy.system_prompt_file == folder / "config" / "prompts" / "pharmacy.txt"


def test_servers(folder: Path) -> None:
    text = SERVER + (
        "          command: npx\n          args: [-y, server, /notes]\n          env: {ROOT: /notes}\n"
        "          tools: {read: allow, write: ask}\n"
        "        far:\n          url: https://tools.example/mcp\n        near: {url: 'http://127.0.0.1:9/mcp'}\n"
    )
    (shop,) = profiles(folder, text)
    files, far, near = shop.mcp_servers
    assert (files.command, files.args, files.env) == ("npx", ("-y", "server", "/notes"), (("ROOT", "/notes"),))
    assert files.ask == {"read": CallApproval.ALLOW, "write": CallApproval.ASK}
    assert (far.url, far.ask) == ("https://tools.example/mcp", {})
    assert near.url == "http://127.0.0.1:9/mcp"


FAULTS = {
    "no agent mapping": ("agent: 3\n", 1, "isn't a mapping"),
    "unknown agent key": ("agent:\n  profile: {}\n", 2, "Unknown key “profile”"),
    "empty profile": ("agent:\n  profiles:\n    shop:\n", 3, "empty"),
    "bad name": ("agent:\n  profiles:\n    my shop: {}\n", 3, "be a"),
    "two underscores": (HEAD.replace("shop:", "a__b:"), 3, "be a"),
    "unknown key": (HEAD + "      colour: red\n", 6, "Unknown key “colour”"),
    "no prompt file": (HEAD.replace("      system_prompt_file: shop.txt\n", ""), 4, "system_prompt_file is missing"),
    "prompt missing": (HEAD.replace("shop.txt", "none.txt"), 4, "can't be read"),
    "prompt is a folder": (HEAD.replace("shop.txt", "config"), 4, "can't be read"),
    "prompt empty": (HEAD.replace("shop.txt", "empty.txt"), 4, "empty or too long"),
    "prompt not text": (HEAD.replace("shop.txt", "binary.txt"), 4, "isn't UTF-8"),
    "no tools": (HEAD.replace("      tools: [escalate]\n", ""), 3, "lists no tools"),
    "tools no list": (HEAD.replace("[escalate]", "escalate"), 5, "isn't a list"),
    "tool no text": (HEAD.replace("[escalate]", "[3]"), 5, "isn't text"),
    "unknown tool": (HEAD.replace("[escalate]", "[escalade]"), 5, "no tool “escalade”"),
    "tool twice": (HEAD.replace("[escalate]", "[escalate, escalate]"), 5, "twice"),
    "tokens": (HEAD + "      max_tokens: 0\n", 6, "max_tokens"),
    "tokens fraction": (HEAD + "      max_tokens: 1.5\n", 6, "whole number"),
    "temperature": (HEAD + "      temperature: hot\n", 6, "temperature"),
    "iterations": (HEAD + "      max_iterations: 1000\n", 6, "max_iterations"),
    "iterations yes": (HEAD + "      max_iterations: true\n", 6, "max_iterations"),
    "server with nothing": (SERVER + "          tools: {}\n", 7, "either a command or a url"),
    "server with both": (SERVER + "          command: x\n          url: https://x.y\n", 7, "either"),
    "server key": (SERVER + "          command: x\n          cwd: /\n", 9, "Unknown key “cwd”"),
    "server name": (SERVER.replace(" files:", " f__s:") + "          command: x\n", 7, "be a"),
    "server name long": (SERVER.replace(" files:", " " + "f" * 25 + ":") + "          command: x\n", 7, "too long"),
    "http elsewhere": (SERVER + "          url: http://tools.example/mcp\n", 8, "neither https"),
    "no scheme": (SERVER + "          url: tools.example\n", 8, "neither https"),
    "user in url": (SERVER + "          url: https://me:secret@tools.example\n", 8, "name or password"),
    "url and args": (SERVER + "          url: https://x.y\n          args: [a]\n", 9, "have args"),
    "env number": (SERVER + "          command: x\n          env: {A: 1}\n", 9, "isn't text"),
    "tool word": (SERVER + "          command: x\n          tools: {read: maybe}\n", 9, "tool permission"),
    "rule without its profile": (SPEC.replace("    pharmacy:", "    shop:"), 7, "no profile “pharmacy”"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_names_line_and_remedy(name: str, folder: Path) -> None:
    text, line, words = FAULTS[name]
    (folder / "empty.txt").write_text(" \n", encoding="utf-8")
    (folder / "binary.txt").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadFile) as caught:
        profiles(folder, text)
    assert words in caught.value.detail
    assert caught.value.line == line, caught.value


@given(st.text(alphabet="abr: \n-{}[]'\"&*!<#?,", max_size=60))
def test_any_text_is_profiles_or_a_bad_file(text: str) -> None:
    try:
        parse_routing("agent:\n  profiles:\n    a:\n      " + text, Path("routing.yaml"), None)
    except BadFile as error:
        assert error.line >= 0


PASTED = """{
\t"mcpServers": {
\t\t"stock": {"type": "stdio", "command": "npx", "args": ["-y", "stock"], "env": {"SHELF": "B4"}},
\t\t"notes": {"type": "http", "url": "https:\\/\\/tools.example.org/mcp"}
\t}
}"""


def test_servers_are_read_from_the_json_of_other_programs() -> None:
    stock, notes = pasted_servers(PASTED)
    assert stock == McpServer("stock", "npx", ("-y", "stock"), (("SHELF", "B4"),))
    assert notes == McpServer("notes", url="https://tools.example.org/mcp")


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ('"-y",', '"-y"', 3, "Not valid JSON"),
        ("mcpServers", "servers", 1, "mcpServers"),
        ('"args"', '"argz"', 3, "Unknown key “argz”"),
        ('["-y", "stock"]', '"-y"', 3, "args isn't a list"),
        ('"B4"', "4", 3, "SHELF isn't text"),
        ('"http"', '"sse"', 4, "“sse”"),
        ("https:", "http:", 4, "https"),
        ('"notes"', '"my notes"', 4, "“my notes”"),
        ('"type": "stdio"', '"tools": {"look": "allow"}', 3, "Unknown key “tools”"),
        ('"command": "npx", ', "", 3, "command or a url"),
    ],
)
def test_a_fault_in_pasted_json_names_line_and_key(old: str, new: str, line: int, words: str) -> None:
    with pytest.raises(BadFile) as caught:
        pasted_servers(PASTED.replace(old, new, 1))
    assert caught.value.line == line
    assert words in caught.value.detail
