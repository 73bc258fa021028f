"""The diagnostics bundle a user may attach to a report: versions, settings, counts and redacted logs.

It holds no mail, address, key, user name or folder name. Text that could contain them is left out: messages of other programs and
of exceptions, and quoted text.
"""

import io
import json
import platform
import re
import sys
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import distributions
from pathlib import Path

import msgspec

from app.config.logs import redact
from app.config.paths import DataFolder
from app.config.settings import Settings, load
from app.config.settings_file import write_bytes_atomically
from app.domain.errors import BadFile

NEWEST_BYTES = 400_000
"""Per log file."""

Findings = Sequence[Mapping[str, object]]

_RECORD = re.compile(r"^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} [A-Z]+ +)([\w.]+)( \d+ )(.*)$")
_FRAME = re.compile(r'^  File "([^"]*)", line (\d+), in ([\w<>.]+)$')
_ENDING = re.compile(r"^((?:[a-z_]\w*\.)+[A-Z]\w+|[A-Z]\w*(?:Error|Exception|Warning))(?::.*)?$")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'|“[^”]*”|«[^»]*»|`[^`]*`")
_ELSEWHERE = re.compile(r"\b[a-z][a-z0-9+.-]{0,30}://\S+|\b[\w-]{1,63}(?:\.[\w-]{1,63}){1,40}\.(?:[a-z]{2,})\b")


def write_bundle(folder: DataFolder, target: Path, program: str, findings: Findings, counts: Mapping[str, int]) -> list[str]:
    """Writes a zip file at `target` and returns the names in it. `findings` are the doctor's, `counts` rows by table."""
    buffer = io.BytesIO()
    parts = {
        "about.json": _json(_about(program)),
        "settings.json": _json(_settings(folder.settings)),
        "findings.json": _json([{key: _plain(value, folder) for key, value in one.items()} for one in findings]),
        "counts.json": _json(dict(counts)),
        **{f"logs/{path.name}": "\n".join(redacted_lines(_newest(path), folder)) for path in sorted(folder.logs.glob("*.log*"))},
    }
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, text in parts.items():
            bundle.writestr(name, text)
    write_bytes_atomically(target, buffer.getvalue())
    return list(parts)


def redacted_lines(text: str, folder: DataFolder) -> Iterator[str]:
    """The lines of a log, redacted. Of other libraries' records and of tracebacks only the place is kept."""
    for line in text.splitlines():
        record, frame, ending = _RECORD.match(line), _FRAME.match(line), _ENDING.match(line)
        if record:
            when, logger, process, words = record.groups()
            ours = logger.startswith("app.")
            yield f"{when}{logger}{process}{_plain(words, folder) if ours else '<left out>'}"
        elif frame:
            yield f"  {Path(frame.group(1)).name}:{frame.group(2)} {frame.group(3)}"
        elif ending:
            yield ending.group(1)


def redacted_text(text: str, folder: DataFolder) -> str:
    """`text` without folders, addresses, keys and hosts."""
    for path, name in ((folder.root.absolute(), "<data>"), (Path.home(), "<home>")):
        text = text.replace(str(path), name)
    return _ELSEWHERE.sub("<host>", redact(text))


def _plain(value: object, folder: DataFolder) -> object:
    """Redacts a string and removes what it quotes. Other values stay."""
    return _QUOTED.sub("<text>", redacted_text(value, folder)) if isinstance(value, str) else value


def _about(program: str) -> dict[str, object]:
    """Versions of program, Python, system and packages."""
    found = {str(one.metadata["Name"]): one.version for one in distributions()}
    return {
        "program": program,
        "python": sys.version.split()[0],
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "packages": dict(sorted(found.items())),
    }


def _settings(path: Path) -> dict[str, object]:
    """The settings in force. Free text is replaced by its length, server addresses by their scheme."""
    try:
        settings = load(path)
    except BadFile as error:
        return {"broken": True, "line": error.line}
    values: dict[str, dict[str, object]] = msgspec.to_builtins(settings)
    values["drafting"]["background"] = f"<{len(settings.drafting.background)} characters>"
    for name in values["memory"]:
        values["memory"][name] = f"<{len(getattr(settings.memory, name))} characters>"
    values["sync"]["skip_labels"] = f"<{len(settings.sync.skip_labels)} characters>"
    values["web"] = {"searxng": _scheme(settings.web.searxng), "sites": f"<{len(settings.web.sites)} hosts>"}
    values["assistant"]["gmail_service"] = _scheme(settings.assistant.gmail_service)
    values["model"]["api_base"] = _scheme(settings.model.api_base)
    for name in ("name", "triage", "agent"):
        values["model"][name] = getattr(settings.model, name).partition("/")[0]
    for name in ("stays_people", "stays_labels"):
        values["privacy"][name] = f"<{len(getattr(settings.privacy, name))} characters>"
    return {"broken": False, "changed": settings != Settings(), **values}


def _scheme(address: str) -> str:
    """The address with its host hidden."""
    return f"{address.partition(':')[0]}://<host>" if address else ""


def _newest(path: Path) -> str:
    """The end of a log."""
    return path.read_bytes()[-NEWEST_BYTES:].decode("utf-8", "replace")


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)
