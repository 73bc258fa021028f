"""Writes rules and profiles into `routing.yaml` and keeps everything else in the file, comments included.

An unchanged entry keeps its lines byte for byte wherever it moves, with the comments directly above it. A changed one keeps the
comments inside it. The result is read again before it is written and must give exactly what was wanted.
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from io import StringIO
from pathlib import Path

from msgspec.structs import fields
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq

from app.config.rules.profiles import LIMITS, LONGEST_PROMPT, check_name, parse_routing
from app.config.rules.rules import parse_rules, rules_of
from app.config.rules.yaml_lines import YamlSection, parse_yaml
from app.config.settings_file import write_atomically
from app.config.user_files import read_text
from app.domain.agents.routing import TEXT_KEYS, RoutingRule
from app.domain.agents.tools import DEFAULT_MODEL, AgentProfile, McpServer
from app.domain.error_texts import Cause
from app.domain.errors import BadFile, ExpectedError, NotAllowed
from app.domain.record import replace

NEW_COLUMN = 4
"""Column of a rule's dash or a profile's name in a file that had none."""


def check_rules(rules: Sequence[RoutingRule]) -> None:
    """Raises `NotAllowed` for rules that could not be read back, with the sentence the reader would give."""
    try:
        found = parse_rules(_rendered("", rules), Path("routing.yaml"))
    except BadFile as error:
        raise NotAllowed(error.text) from error
    if found != tuple(rules):
        raise NotAllowed(Cause.RULES_NOT_WRITABLE)


def write_rules(path: Path, rules: Sequence[RoutingRule]) -> None:
    """Writes `rules` in this order. Raises `BadFile` for a broken file, `NotAllowed` for invalid rules, `DiskFull`."""
    write_atomically(path, _with_rules(read_text(path), path, rules))


def _with_rules(text: str, path: Path, rules: Sequence[RoutingRule]) -> str:
    """The text with these rules. It is read once before and once after: a rule takes a millisecond to read."""
    document = parse_yaml(text, path)
    before = () if document is None else rules_of(document)

    def made() -> Iterator[str | None]:
        yield _in_blocks(text, document, before, rules)
        yield _rendered(text, rules)

    for new in made():
        with suppress(BadFile):
            if new is not None and parse_rules(new, path) == tuple(rules):
                return new
    check_rules(rules)
    raise NotAllowed(Cause.RULES_FILE_NOT_WRITABLE)


def _in_blocks(
    text: str, document: YamlSection | None, before: Sequence[RoutingRule], rules: Sequence[RoutingRule]
) -> str | None:
    """The text with blocks of lines kept, moved, changed or left out. None where the rules are not written as blocks."""
    if document is None or "routing" not in document:
        head = text if not text or text.endswith("\n") else text + "\n"
        return head + "".join(["routing:\n  rules:\n", *(line for rule in rules for line in _new_block(rule, NEW_COLUMN))])
    listed = document.entry["routing"]["rules"] if before else None
    if not isinstance(listed, CommentedSeq) or listed.fa.flow_style():
        return None
    lines = _lines(text)
    starts = [int(listed.lc.item(index)[0]) for index in range(len(listed))]
    dash = lines[starts[0]].find("-")
    if dash < 0 or any(lines[at][: dash + 1] != " " * dash + "-" for at in starts):
        return None
    tops = [_top(lines, at, dash) for at in starts]
    ends = [*tops[1:], _end(lines, starts[-1], dash)]
    blocks = {rule.name: lines[top:end] for rule, top, end in zip(before, tops, ends, strict=True)}
    known = {rule.name: rule for rule in before}
    middle: list[str] = []
    for rule in rules:
        block = blocks.get(rule.name)
        if block is None:
            middle += _new_block(rule, dash)
        else:
            middle += block if known[rule.name] == rule else _changed_block(block, rule, dash)
    return "".join([*lines[: tops[0]], *middle, *lines[ends[-1] :]])


def _lines(text: str) -> list[str]:
    lines = text.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    return lines


def _top(lines: Sequence[str], start: int, dash: int) -> int:
    """First line of an entry, with the comments directly above it at the same indentation."""
    top = start
    while top and lines[top - 1].startswith(" " * dash + "#"):
        top -= 1
    return top


def _end(lines: Sequence[str], start: int, dash: int) -> int:
    """Line after the last entry: before the next line with less indentation and the blank lines or comments above that."""
    end = start + 1
    for at in range(start + 1, len(lines)):
        content = lines[at].strip()
        if content and not content.startswith("#"):
            if len(lines[at]) - len(lines[at].lstrip()) <= dash:
                break
            end = at + 1
        elif lines[at].startswith(" " * (dash + 1) + " "):
            end = at + 1
    return end


def _new_block(rule: RoutingRule, dash: int) -> list[str]:
    return _indented(_dumped(CommentedSeq([_entry(rule)])), dash)


def _changed_block(block: Sequence[str], rule: RoutingRule, dash: int) -> list[str]:
    """A rule's lines with changed values and its comments kept."""
    first = next(at for at, line in enumerate(block) if line.startswith(" " * dash + "-"))
    listed = _round_trip().load("".join(line[dash:] if line.strip() else "\n" for line in block[first:]))
    _change(listed[0], _entry(rule))
    return [*block[:first], *_indented(_dumped(listed), dash)]


def _change(old: CommentedMap, new: CommentedMap) -> None:
    """Makes `old` equal to `new`. Keys that both have keep their place."""
    for key in [key for key in old if key not in new]:
        del old[key]
    for key, value in new.items():
        if isinstance(value, CommentedMap) and isinstance(old.get(key), CommentedMap):
            _change(old[key], value)
        elif isinstance(value, CommentedSeq) and isinstance(old.get(key), CommentedSeq):
            _change_list(old[key], value)
        elif key not in old or old[key] != value:
            old[key] = value


def _change_list(old: CommentedSeq, new: CommentedSeq) -> None:
    """Makes `old` equal to `new`. Items that both have keep their comments where the order is the same."""
    for at in range(len(old) - 1, -1, -1):
        if old[at] not in new:
            del old[at]
    if list(old) != list(new)[: len(old)]:
        old[:] = list(new)
    old.extend(list(new)[len(old) :])


def _rendered(text: str, rules: Sequence[RoutingRule]) -> str:
    """The text with its list of rules written anew. Comments between rules are lost, all others stay."""
    document = _round_trip().load(text) or CommentedMap()
    routing = document.get("routing")
    if not isinstance(routing, CommentedMap):
        routing = document["routing"] = CommentedMap()
    routing["rules"] = CommentedSeq([_entry(rule) for rule in rules])
    return _dumped(document)


def _entry(rule: RoutingRule) -> CommentedMap:
    match = CommentedMap()
    if rule.match.all:
        match["all"] = True
    for key in TEXT_KEYS:
        value = getattr(rule.match, key)
        if value:
            match[key] = value
    if rule.match.header_match:
        match["header_match"] = CommentedMap((one.name, one.pattern) for one in rule.match.header_match)
    entry = CommentedMap(name=rule.name, match=match, route=rule.route.value)
    if rule.profile:
        entry["profile"] = rule.profile
    if rule.label:
        entry["label"] = rule.label
    if rule.actions:
        entry["actions"] = CommentedSeq(action.value for action in rule.actions)
    return entry


def _round_trip() -> YAML:
    """A parser and emitter that keeps comments, quotes and long lines."""
    yaml = YAML(typ="rt")
    yaml.preserve_quotes = True
    yaml.width = 4096
    return yaml


def _dumped(data: object) -> str:
    yaml = _round_trip()
    if isinstance(data, CommentedSeq):
        yaml.indent(mapping=2, sequence=2, offset=0)
    else:
        yaml.indent(mapping=2, sequence=4, offset=2)
    out = StringIO()
    yaml.dump(data, out)
    return out.getvalue()


def _indented(text: str, dash: int) -> list[str]:
    return [" " * dash + line if line.strip() else line for line in text.splitlines(keepends=True)]


def save_profile(path: Path, profile: AgentProfile, known_tools: Collection[str] | None) -> None:
    """Writes a profile and its prompt, in place of the one of its name or after all others.

    A prompt of the program is not changed; the new text goes to a file of its name beside the rules. Raises as `write_rules`.
    """
    _check_prompt(profile)
    text = read_text(path)
    _rules, before = parse_routing(text, path, known_tools)
    old = next((one for one in before if one.name == profile.name), None)
    named = _prompt_name(text, path, old, profile)
    prompt_file = path.parent / Path(named).expanduser()
    prompt_before = read_text(prompt_file)
    if old is None or old.system_prompt != profile.system_prompt:
        write_atomically(prompt_file, profile.system_prompt)
    try:
        new = _with_profile(text, path, profile, named)
        _check_profile(new, path, profile, before, known_tools)
        write_atomically(path, new)
    except ExpectedError as error:
        if prompt_before:
            write_atomically(prompt_file, prompt_before)
        else:
            prompt_file.unlink(missing_ok=True)
        raise (NotAllowed(error.text) if isinstance(error, BadFile) else error) from error


def remove_profile(path: Path, name: str) -> None:
    """Removes a profile and the rules that lead to it. Its prompt's file stays."""
    text = read_text(path)
    rules, before = parse_routing(text, path, None)
    kept = [rule for rule in rules if rule.profile != name]
    new = text if len(kept) == len(rules) else _with_rules(text, path, kept)
    new = _with_profile(new, path, None, name)
    if parse_routing(new, path, None) != (tuple(kept), tuple(one for one in before if one.name != name)):
        raise NotAllowed(Cause.RULES_FILE_NOT_WRITABLE)
    write_atomically(path, new)


def _check_prompt(profile: AgentProfile) -> None:
    """Raises `NotAllowed` for a name or prompt that could not be read back."""
    if not profile.system_prompt.strip() or len(profile.system_prompt) > LONGEST_PROMPT:
        raise NotAllowed(Cause.PROMPT_LENGTH, profile.name, LONGEST_PROMPT)
    if not check_name(profile.name):
        raise NotAllowed(Cause.NO_PROFILE_NAME, profile.name)


def _prompt_name(text: str, path: Path, old: AgentProfile | None, profile: AgentProfile) -> str:
    """The prompt's file as the rules file names it; a new profile gets a name that is free."""
    if old is not None:
        document = parse_yaml(text, path)
        assert document is not None, "it has a profile"
        return str(document.entry["agent"]["profiles"][profile.name]["system_prompt_file"]).strip()
    free = (f"{profile.name}{ending}.txt" for ending in ("", *(f"-{number}" for number in range(2, 1000))))
    return next(name for name in free if not (path.parent / name).exists())


def _check_profile(
    text: str, path: Path, profile: AgentProfile, before: Sequence[AgentProfile], known_tools: Collection[str] | None
) -> None:
    """Raises `BadFile` or `NotAllowed` unless the text holds this profile and the others as before."""
    _rules, after = parse_routing(text, path, known_tools)
    found = {one.name: replace(one, system_prompt_file=profile.system_prompt_file) for one in after}
    wanted = {one.name: replace(one, system_prompt_file=profile.system_prompt_file) for one in (*before, profile)}
    if found != wanted:
        raise NotAllowed(Cause.RULES_FILE_NOT_WRITABLE)


def _with_profile(text: str, path: Path, profile: AgentProfile | None, named: str) -> str:
    """The text with a profile written, whose prompt is the file `named`; without the profile `named` for None."""
    document = parse_yaml(text, path)
    agent = document.entry.get("agent") if document is not None else None
    if profile is not None and (document is None or "agent" not in document):
        return "".join([*_lines(text), "agent:\n  profiles:\n", *_new_profile(profile, named, NEW_COLUMN)])
    listed = agent.get("profiles") if isinstance(agent, CommentedMap) else None
    name = profile.name if profile is not None else named
    if not isinstance(listed, CommentedMap) or not listed or listed.fa.flow_style():
        return _rendered_profile(text, profile, named)
    lines, names = _lines(text), list(listed)
    column = int(listed.lc.key(names[0])[1])
    starts = [int(listed.lc.key(one)[0]) for one in names]
    tops = [_top(lines, at, column) for at in starts]
    ends = [*tops[1:], _end(lines, starts[-1], column)]
    if name not in names:
        assert profile is not None, "there is nothing to remove"
        return "".join([*lines[: ends[-1]], *_new_profile(profile, named, column), *lines[ends[-1] :]])
    at = names.index(name)
    block: list[str] = []
    if profile is not None:
        shown = "".join(line[column:] if line.strip() else "\n" for line in lines[starts[at] : ends[at]])
        entry = _round_trip().load(shown)
        if not isinstance(entry[name], CommentedMap) or entry[name].fa.flow_style():
            return _rendered_profile(text, profile, named)
        _change(entry[name], _profile_entry(profile, named, entry[name]))
        block = [*lines[tops[at] : starts[at]], *_indented(_dumped(entry), column)]
    return "".join([*lines[: tops[at]], *block, *lines[ends[at] :]])


def _new_profile(profile: AgentProfile, named: str, column: int) -> list[str]:
    entry = CommentedMap({profile.name: _profile_entry(profile, named, CommentedMap())})
    return _indented(_dumped(entry), column)


def _rendered_profile(text: str, profile: AgentProfile | None, named: str) -> str:
    """The text with the profile changed, where profiles are not written as blocks of lines. Comments around them may be lost."""
    document = _round_trip().load(text)
    agent = document["agent"] = document["agent"] or CommentedMap()
    listed = agent["profiles"] = agent.get("profiles") or CommentedMap()
    if profile is None:
        del listed[named]
    elif profile.name in listed:
        _change(listed[profile.name], _profile_entry(profile, named, listed[profile.name]))
    else:
        listed[profile.name] = _profile_entry(profile, named, CommentedMap())
    return _dumped(document)


def _profile_entry(profile: AgentProfile, named: str, old: CommentedMap) -> CommentedMap:
    """A profile as it is written: values that differ from the default, or that were written before."""
    entry = CommentedMap()
    defaults = {one.name: one.default for one in fields(AgentProfile)} | {"model": DEFAULT_MODEL}
    for key in ("model", *LIMITS):
        if key in old or getattr(profile, key) != defaults[key]:
            entry[key] = getattr(profile, key)
    if "enabled" in old or not profile.enabled:
        entry["enabled"] = profile.enabled
    entry["system_prompt_file"] = named
    entry["tools"] = CommentedSeq(profile.tools)
    if profile.mcp_servers:
        entry["mcp_servers"] = CommentedMap((server.name, _server_entry(server)) for server in profile.mcp_servers)
    return entry


def _server_entry(server: McpServer) -> CommentedMap:
    entry = CommentedMap(url=server.url) if server.url else CommentedMap(command=server.command)
    if server.args:
        entry["args"] = CommentedSeq(server.args)
    if server.env:
        entry["env"] = CommentedMap(server.env)
    if server.ask:
        entry["tools"] = CommentedMap((name, approval.value) for name, approval in server.ask.items())
    return entry
