"""`replyroom doctor`: checks this installation and says what is missing and what to do. Changes nothing."""

import asyncio
import json
import logging
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from app.config.paths import DATA_VARIABLE, DataFolder, program_version, resource
from app.domain.errors import ExpectedError, NotAllowed
from app.domain.record import Record, asdict

log = logging.getLogger(__name__)


class Finding(Record):
    """The result of one check.

    `detail` says what is there, or what is wrong and what to do. `needed` is false for optional parts.
    """

    name: str
    ok: bool
    detail: str
    needed: bool = True


def run_doctor(root: Path, as_json: bool, bundle: Path | None = None) -> int:
    """Prints the findings. Returns 0 when all needed parts are there.

    With `bundle`, also writes findings, logs and versions to that zip file, redacted. Raises `DiskFull`.
    """
    findings = list(examine(DataFolder(root)))
    if bundle is not None:
        _write_bundle(DataFolder(root), bundle, findings)
    if as_json:
        sys.stdout.write(json.dumps([asdict(finding) for finding in findings], indent=2) + "\n")
    else:
        for finding in findings:
            mark = "ok     " if finding.ok else "MISSING" if finding.needed else "absent "
            sys.stdout.write(f"{mark} {finding.name}: {finding.detail}\n")
    return 0 if all(finding.ok for finding in findings if finding.needed) else 1


def _write_bundle(data: DataFolder, target: Path, findings: list[Finding]) -> None:
    from app.config.diagnostics import write_bundle
    from app.store.maintenance.reporting import row_counts

    try:
        counts = row_counts(data.database)
    except ExpectedError as error:
        counts = {error.code: 1}
    names = write_bundle(data, target, program_version(), [asdict(finding) for finding in findings], counts)
    sys.stderr.write(f"{target}: {', '.join(names)}. Look through it before you send it to anybody.\n")


def examine(data: DataFolder) -> Iterator[Finding]:
    """Runs all checks, the most basic first."""
    version = ".".join(str(part) for part in sys.version_info[:3])
    supported = (3, 11) <= sys.version_info[:2] <= (3, 13)
    yield Finding("Python", supported, version if supported else f"{version}. Use Python 3.11, 3.12 or 3.13.")
    yield _checked("Program files", lambda: str(resource("prompts").parent))
    yield _checked("Data folder", lambda: _folder(data.root))
    yield _checked("Settings", lambda: _settings(data.settings))
    yield _checked("Routing rules", lambda: _rules(data.rules))
    yield _checked("Mail store", lambda: _store(data.database))
    yield _checked("Embedding model", _embedding)
    yield _checked("Window libraries", _window)
    yield _checked("Keyring", _keyring, needed=False)


def _checked(name: str, look: Callable[[], str], needed: bool = True) -> Finding:
    """The finding of one check. Any exception becomes a finding, because the doctor must work when nothing else does."""
    try:
        return Finding(name, True, look(), needed=needed)
    except ExpectedError as error:
        return Finding(name, False, str(error), needed)
    except Exception as error:
        log.exception("looking at %s failed", name)
        words = str(error) if isinstance(error, ImportError | OSError) else f"{type(error).__name__}: {error}"
        return Finding(name, False, f"{words}. Install Replyroom again, or run packaging/dev.py once.", needed)


def _folder(root: Path) -> str:
    """The folder, if it or its nearest existing parent is writable. Raises `NotAllowed`."""
    nearest = next((path for path in (root, *root.absolute().parents) if path.exists()), root)
    remedy = f"Name another folder with --data or {DATA_VARIABLE}, or make it your own."
    if not nearest.is_dir():
        raise NotAllowed(f"{nearest} is no folder.", remedy)
    if not os.access(nearest, os.W_OK):
        raise NotAllowed(f"{nearest} cannot be written.", remedy)
    return f"{root}{'' if root.exists() else ' (will be made at the first start)'}"


def _settings(path: Path) -> str:
    from app.config.settings import load

    model = load(path).model.name
    return f"{path.name} is good; model: {model or 'none'}" if path.exists() else "all defaults; model: none"


def _rules(path: Path) -> str:
    from app.config.rules.profiles import load_routing

    rules, profiles = load_routing(path, None)
    return f"{len(rules)} rules, {len(profiles)} agent profiles"


def _store(path: Path) -> str:
    from app.store.reader.mailbox_reader import SqliteMailboxReader

    reader = SqliteMailboxReader(path)
    try:
        return f"{reader.counts().messages} messages" if path.exists() else "none yet"
    finally:
        reader.close()


def _embedding() -> str:
    from app.agent.retrieval import MiniLm

    model = MiniLm.open()
    return f"{model.model_id}, {len(model.embed(['hello'])[0])} dimensions"


def _window() -> str:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6 import __version__
    from PySide6.QtWidgets import QApplication

    assert QApplication is not None
    return f"PySide6 {__version__}"


def _keyring() -> str:
    from app.config.secrets import Secrets

    asyncio.run(Secrets(limit_s=5).get("doctor"))
    return "answers"
