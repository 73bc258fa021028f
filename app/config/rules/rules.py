"""Reads routing rules from `routing.yaml` and checks every key. Errors name file and line.

A file with any error gives no rules at all; the caller keeps the last valid ones in force.
"""

import re
from collections.abc import Collection
from pathlib import Path

from app.config.patterns import compile_pattern
from app.config.rules.yaml_lines import YamlSection, as_section, parse_yaml
from app.domain.agents.routing import ADDRESS_KEYS, TEXT_KEYS, HeaderPattern, RoutingRule, RuleAction, RuleMatch, RuleSet
from app.domain.agents.runs import Route
from app.domain.error_texts import Cause
from app.domain.errors import BadFile

FILE_KEYS = ("routing", "agent")
RULE_KEYS = ("name", "match", "route", "profile", "label", "actions")
MATCH_KEYS = ("all", *TEXT_KEYS, "header_match")
MOST_RULES = 5000


def parse_rules(text: str, path: Path) -> tuple[RoutingRule, ...]:
    """Checks `text` as the contents of `path`. Raises `BadFile`."""
    document = parse_yaml(text, path)
    return () if document is None else rules_of(document)


def rules_of(document: YamlSection) -> tuple[RoutingRule, ...]:
    """The rules of a whole document. Raises `BadFile`."""
    document.known(FILE_KEYS)
    routing = document.section("routing")
    if routing is None:
        return ()
    routing.known(("rules",))
    listed = routing.sequence("rules", "- name: ...", "routing.rules")
    if listed is None:
        return ()
    if len(listed) > MOST_RULES:
        raise routing.error("rules", Cause.TOO_MANY_RULES, MOST_RULES)
    rules: list[RoutingRule] = []
    for index, value in enumerate(listed):
        line = int(listed.lc.item(index)[0]) + 1
        rule = _rule(as_section(value, document.path, f"Rule {index + 1}", line))
        if any(one.name == rule.name for one in rules):  # the audit trail refers to rules by name
            raise BadFile(str(document.path), line, Cause.RULE_NAME_TWICE, rule.name)
        rules.append(rule)
    return tuple(rules)


def rule_set(rules: tuple[RoutingRule, ...], off: Collection[str] = ()) -> RuleSet:
    """Compiles rules; their patterns have a time limit. Raises `ValueError` for a pattern that `parse_rules` would reject."""
    return RuleSet(rules, compile_pattern, off)


def _rule(entry: YamlSection) -> RoutingRule:
    entry.known(RULE_KEYS)
    name = entry.text("name")
    route_name = entry.text("route")
    if route_name not in list(Route):
        raise entry.error("route", Cause.UNKNOWN_ROUTE, route_name, ", ".join(Route))
    route = Route(route_name)
    profile = entry.text("profile") if "profile" in entry else ""
    if (route is Route.AGENT) != bool(profile):
        cause = Cause.PROFILE_NOT_USED if profile else Cause.PROFILE_NEEDED
        raise entry.error("profile" if profile else "route", cause, name)
    if "match" not in entry:
        raise entry.error(None, Cause.RULE_WITHOUT_MATCH, name)
    match = _match(as_section(entry.entry["match"], entry.path, "match", entry.line("match")))
    return RoutingRule(name, match, route, profile, entry.text("label") if "label" in entry else "", _actions(entry))


def _actions(entry: YamlSection) -> tuple[RuleAction, ...]:
    """The actions in their own order, each once."""
    wanted = entry.sequence("actions", "- archive", "actions") or ()
    for name in wanted:
        if name not in list(RuleAction):
            raise entry.error("actions", Cause.UNKNOWN_ACTION, name, ", ".join(RuleAction))
    return tuple(action for action in RuleAction if action in wanted)


def _match(entry: YamlSection) -> RuleMatch:
    entry.known(MATCH_KEYS)
    if not entry.names:
        raise entry.error(None, Cause.MATCH_EMPTY)
    if "all" in entry and entry.entry["all"] is not True:
        raise entry.error("all", Cause.ALL_NOT_TRUE)
    texts = {key: entry.text(key) for key in TEXT_KEYS if key in entry}
    texts = {key: value.lower() if key in ADDRESS_KEYS else value for key, value in texts.items()}
    for key in ("sender_email", "forwarded_from"):
        if key in texts and not re.fullmatch(r"[^@\s]+@[^@\s]+", texts[key]):
            raise entry.error(key, Cause.NO_MAIL_ADDRESS, key, texts[key])
    if "@" in texts.get("sender_domain", ""):
        raise entry.error("sender_domain", Cause.DOMAIN_WITH_AT)
    return RuleMatch(all="all" in entry, header_match=_headers(entry), **texts)


def _headers(entry: YamlSection) -> tuple[HeaderPattern, ...]:
    """Header names with their patterns, each of which compiles."""
    if "header_match" not in entry:
        return ()
    wanted = as_section(entry.entry["header_match"], entry.path, "header_match", entry.line("header_match"))
    if not wanted.names:
        raise entry.error("header_match", Cause.NO_HEADER)
    patterns = []
    for name in wanted.entry:
        source = wanted.text(name)
        try:
            compile_pattern(source)
        except ValueError as error:
            raise wanted.error(name, Cause.WRONG_PATTERN, name, error) from error
        patterns.append(HeaderPattern(str(name), source))
    return tuple(patterns)
