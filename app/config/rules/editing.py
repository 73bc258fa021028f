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
RULES, PROFILES = ("routing", "rules"), ("agent", "profiles")
Entry = tuple[str, CommentedMap | None]
"""Name and new content of a rule or a profile; None for one that stays as it is."""


def check_rules(rules: Sequence[RoutingRule]) -> None:
    """Raises `NotAllowed` for rules that could not be read back, with the sentence the reader would give."""
    (text,) = _candidates("", None, RULES, [(rule.name, _rule_entry(rule)) for rule in rules])
    try:
        found = parse_rules(text, Path("routing.yaml"))
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
    wanted = [(rule.name, None if rule in before else _rule_entry(rule)) for rule in rules]
    for new in _candidates(text, document, RULES, wanted):
        with suppress(BadFile):
            if parse_rules(new, path) == tuple(rules):
                return new
    check_rules(rules)
    raise NotAllowed(Cause.RULES_FILE_NOT_WRITABLE)


def _candidates(text: str, document: YamlSection | None, place: tuple[str, str], wanted: Sequence[Entry]) -> Iterator[str]:
    """The text with the wanted entries at a place: with blocks of lines kept, moved, changed or left out, then written anew."""
    section, key = place
    if document is None or section not in document:
        new = (line for name, entry in wanted for line in _new_block(place, name, entry, NEW_COLUMN))
        yield "".join([*_lines(text), f"{section}:\n  {key}:\n", *new])
        return
    inside = document.entry[section]
    listed = inside.get(key) if isinstance(inside, CommentedMap) else None
    if listed and not listed.fa.flow_style() and (new_text := _in_blocks(text, listed, place, wanted)) is not None:
        yield new_text
    yield _rendered(text, place, wanted)


def _in_blocks(text: str, listed: CommentedSeq | CommentedMap, place: tuple[str, str], wanted: Sequence[Entry]) -> str | None:
    """None where an entry does not begin its line."""
    lines = _lines(text)
    starts = [int(listed.lc.item(at)[0] if place == RULES else listed.lc.key(at)[0]) for at in _keys(listed)]
    column = lines[starts[0]].find("-") if place == RULES else int(listed.lc.key(next(iter(listed)))[1])
    if column < 0 or any(lines[at][:column].strip() or (place == RULES and lines[at][column] != "-") for at in starts):
        return None
    tops = [_top(lines, at, column) for at in starts]
    ends = [*tops[1:], _end(lines, starts[-1], column)]
    found = zip(_names(listed), tops, starts, ends, strict=True)
    blocks = {name: (lines[top:start], lines[start:end]) for name, top, start, end in found}
    middle: list[str] = []
    for name, entry in wanted:
        comments, block = blocks.get(name, ([], []))
        if not block:
            middle += _new_block(place, name, entry, column)
            continue
        if entry is not None:
            shown = _round_trip().load("".join(line[column:] if line.strip() else "\n" for line in block))
            _change(shown[0 if place == RULES else name], entry)
            block = _indented(_dumped(shown), column)
        middle += [*comments, *block]
    return "".join([*lines[: tops[0]], *middle, *lines[ends[-1] :]])


def _keys(listed: CommentedSeq | CommentedMap) -> Sequence[object]:
    return range(len(listed)) if isinstance(listed, CommentedSeq) else list(listed)


def _names(listed: CommentedSeq | CommentedMap) -> list[str]:
    return [str(one["name"] if isinstance(listed, CommentedSeq) else one).strip() for one in listed]


def _lines(text: str) -> list[str]:
    lines = text.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    return lines


def _top(lines: Sequence[str], start: int, column: int) -> int:
    """First line of an entry, with the comments directly above it at the same indentation."""
    top = start
    while top and lines[top - 1].startswith(" " * column + "#"):
        top -= 1
    return top


def _end(lines: Sequence[str], start: int, column: int) -> int:
    """Line after the last entry: before the next line with less indentation and the blank lines or comments above that."""
    end = start + 1
    for at in range(start + 1, len(lines)):
        content = lines[at].strip()
        if content and not content.startswith("#"):
            if len(lines[at]) - len(lines[at].lstrip()) <= column:
                break
            end = at + 1
        elif lines[at].startswith(" " * (column + 1) + " "):
            end = at + 1
    return end


def _new_block(place: tuple[str, str], name: str, entry: CommentedMap | None, column: int) -> list[str]:
    return _indented(_dumped(CommentedSeq([entry]) if place == RULES else CommentedMap({name: entry})), column)


def _rendered(text: str, place: tuple[str, str], wanted: Sequence[Entry]) -> str:
    """The text with all entries written anew. Comments between them are lost, all others stay."""
    section, key = place
    document = _round_trip().load(text)
    inside = document.get(section)
    if not isinstance(inside, CommentedMap):
        inside = document[section] = CommentedMap()
    listed = inside.get(key) or CommentedMap()
    old = dict(zip(_names(listed), (listed[at] for at in _keys(listed)), strict=True))
    entries = [(name, old[name] if entry is None else entry) for name, entry in wanted]
    inside[key] = CommentedSeq(entry for _, entry in entries) if place == RULES else CommentedMap(entries)
    return _dumped(document)


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


def _rule_entry(rule: RoutingRule) -> CommentedMap:
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
    if not profile.system_prompt.strip() or len(profile.system_prompt) > LONGEST_PROMPT:
        raise NotAllowed(Cause.PROMPT_LENGTH, profile.name, LONGEST_PROMPT)
    if not check_name(profile.name):
        raise NotAllowed(Cause.NO_PROFILE_NAME, profile.name)
    text = read_text(path)
    _rules, before = parse_routing(text, path, known_tools)
    old = next((one for one in before if one.name == profile.name), None)
    entry = CommentedMap()
    if old is not None:
        document = parse_yaml(text, path)
        assert document is not None, "it has a profile"
        entry = document.entry["agent"]["profiles"][profile.name]
        named = str(entry["system_prompt_file"]).strip()
    else:
        free = (f"{profile.name}{ending}.txt" for ending in ("", *(f"-{number}" for number in range(2, 1000))))
        named = next(name for name in free if not (path.parent / name).exists())
    prompt_file = path.parent / Path(named).expanduser()
    prompt_before = read_text(prompt_file)
    if old is None or old.system_prompt != profile.system_prompt:
        write_atomically(prompt_file, profile.system_prompt)
    after = [profile if one is old else one for one in before] + ([profile] if old is None else [])
    wanted = [(one.name, _profile_entry(one, named, entry) if one is profile else None) for one in after]
    try:
        write_atomically(path, _with_profiles(text, path, wanted, after, known_tools))
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
    after = [one for one in before if one.name != name]
    without = text if len(kept) == len(rules) else _with_rules(text, path, kept)
    write_atomically(path, _with_profiles(without, path, [(one.name, None) for one in after], after, None))


def _with_profiles(
    text: str, path: Path, wanted: Sequence[Entry], after: Sequence[AgentProfile], known_tools: Collection[str] | None
) -> str:
    """The text with these profiles; it must give them. Raises `BadFile` or `NotAllowed`."""
    error: ExpectedError = NotAllowed(Cause.RULES_FILE_NOT_WRITABLE)
    for new in _candidates(text, parse_yaml(text, path), PROFILES, wanted):
        try:
            found = parse_routing(new, path, known_tools)[1]
        except BadFile as bad:
            error = bad
            continue
        if [replace(one, system_prompt_file=path) for one in found] == [replace(one, system_prompt_file=path) for one in after]:
            return new
    raise error


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
