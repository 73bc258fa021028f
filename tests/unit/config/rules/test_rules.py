"""Rules: what a good file means, and that each fault names its line and remedy."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.config.rules.rules import parse_rules, rule_set
from app.config.user_files import read_text
from app.domain.agents.routing import HeaderPattern, RuleAction, RuleMatch
from app.domain.agents.runs import Route
from app.domain.errors import BadFile

HEAD = "routing:\n  rules:\n"
RULE = "    - name: a\n      match: {all: true}\n      route: pipeline\n"


def test_the_example_file_is_good(root: Path) -> None:
    rules = parse_rules(read_text(root / "resources" / "routing.example.yaml"), root / "resources" / "routing.example.yaml")
    assert [rule.name for rule in rules] == ["builds", "meetings", "newsletters", "everything else"]
    assert rules[0].match.sender_domain == "forgehub.example"
    assert rules[0].match.header_match == (HeaderPattern("X-Build-Status", "^(failed|broken)$"),)
    assert rule_set(rules).rules == rules
    assert rules[1].route is Route.RESPONSE_AGENT
    assert (rules[2].route, rules[2].label, rules[2].actions) == (Route.SORT, "Reading", (RuleAction.ARCHIVE,))
    assert rules[3].match == RuleMatch(all=True)


FAULTS = {
    "yaml": (HEAD + "    - name: [\n", 4, "YAML"),
    "no list": ("routing:\n  rules: 3\n", 2, "isn't a list"),
    "unknown key": ("rooting:\n  rules: []\n", 1, "Unknown key “rooting”"),
    "unknown rule key": (HEAD + RULE + "      colour: red\n", 6, "Unknown key “colour”"),
    "no name": (HEAD + "    - match: {all: true}\n      route: pipeline\n", 3, "name is missing"),
    "no route": (HEAD + "    - name: a\n      match: {all: true}\n", 3, "route is missing"),
    "wrong route": (HEAD + RULE.replace("pipeline", "dustbin"), 5, "no route “dustbin”"),
    "wrong action": (HEAD + RULE + "      actions: [archive, burn]\n", 6, "no action “burn”"),
    "empty label": (HEAD + RULE + "      label: ''\n", 6, "label"),
    "no match": (HEAD + "    - name: a\n      route: pipeline\n", 3, "has no match"),
    "empty match": (HEAD + RULE.replace("{all: true}", "{}"), 4, "never apply"),
    "unknown condition": (HEAD + RULE.replace("all: true", "sender: x"), 4, "Unknown key “sender”"),
    "all false": (HEAD + RULE.replace("all: true", "all: false"), 4, "only be true"),
    "no address": (HEAD + RULE.replace("all: true", "sender_email: x"), 4, "a valid email address"),
    "domain with @": (HEAD + RULE.replace("all: true", "sender_domain: 'a@b'"), 4, "sender_domain"),
    "number": (HEAD + RULE.replace("all: true", "subject_contains: 5"), 4, "isn't text"),
    "impossible date": (HEAD + RULE.replace("all: true", "subject_contains: 2026-02-31"), 4, "day is out of range"),
    "bad pattern": (
        HEAD + "    - name: a\n      match:\n        header_match:\n          X-A: '('\n      route: pipeline\n",
        6,
        "pattern",
    ),
    "endless pattern": (
        HEAD
        + "    - name: a\n      match:\n        header_match:\n          X-A: '((a{999}){999}){999}'\n      route: pipeline\n",
        6,
        "multiply",
    ),
    "no header": (HEAD + RULE.replace("all: true", "header_match: {}"), 4, "names no header"),
    "two addresses": (HEAD + RULE.replace("all: true", "forwarded_from: a@b.c d@e.f"), 4, "a valid email address"),
    "agent without profile": (HEAD + RULE.replace("pipeline", "agent"), 5, "don't go together"),
    "profile without agent": (HEAD + RULE + "      profile: x\n", 6, "don't go together"),
    "same name": (HEAD + RULE + RULE, 6, "Two rules"),
    "a list on top": ("- a\n", 1, "isn't a mapping"),
    "duplicate key": (HEAD + RULE + "      route: pipeline\n", 6, "YAML"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_names_line_and_remedy(name: str, tmp_path: Path) -> None:
    text, line, words = FAULTS[name]
    path = tmp_path / "routing.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadFile) as caught:
        parse_rules(read_text(path), path)
    assert words in caught.value.detail
    assert abs(caught.value.line - line) <= (1 if words == "YAML" else 0), caught.value
    assert path.read_text(encoding="utf-8") == text


@given(st.text(alphabet="abr: \n-{}[]'\"&*!|>%@`#?,", max_size=60))
def test_any_text_is_rules_or_a_bad_file(text: str) -> None:
    try:
        assert isinstance(parse_rules(text, Path("routing.yaml")), tuple)
    except BadFile as error:
        assert error.line >= 0
