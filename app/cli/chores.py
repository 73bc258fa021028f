"""`replyroom pharmacy` imports or generates a catalogue of drugs; `replyroom audit` exports what agents did.

A chore that opens the store needs the engine to be stopped.
"""

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from io import TextIOWrapper
from itertools import chain
from pathlib import Path
from typing import TextIO

from app.config.paths import DataFolder, resource, service_records
from app.config.settings_file import unwritten
from app.engine.runtime.process_control import FolderLock
from app.store.db.database import Database

MOST_EXPORTED = 1_000_000
"""Calls of one export."""


def run_chore(options: argparse.Namespace, root: Path) -> int:
    """Runs the chore. Raises `ExpectedError`."""
    if options.command == "audit":
        form, host = (options.format, options.host) if options.chore == "sent" else ("", "")
        return export_audit(root, options.out, options.days, form, host)
    if options.chore == "generate":
        return generate_catalogue(options.file, options.rows)
    return import_catalogue(root, options.file, options.stock)


def import_catalogue(root: Path, file: Path, stock: Path | None) -> int:
    """Imports a catalogue, optionally with stock from its own file. Raises `BadFile`, `AlreadyRunning`, `NotAllowed`."""
    from app.store.pharmacy import DrugTable, read_catalogue, read_stock

    found = read_catalogue(file)
    pharmacies, lines = (found.pharmacies, found.stock) if stock is None else read_stock(stock)
    with _open_store(root) as db:
        count = DrugTable(db, lambda: datetime.now(UTC)).replace(found.drugs, pharmacies, lines)
    sys.stdout.write(f"drugs: {count}, pharmacies: {len(pharmacies)}, lines of stock: {len(lines)}\n")
    return 0


def generate_catalogue(file: Path, rows: int) -> int:
    """Writes a made-up catalogue. Raises `DiskFull`, `NotAllowed`."""
    from app.sandbox.samples.drugs import read_medicines, write_catalogue

    with _open_for_writing(file) as out:
        count = write_catalogue(out, read_medicines(resource("profiles", "medicines.csv")), rows)
    sys.stdout.write(f"drugs: {count}\n")
    return 0


def export_audit(root: Path, file: Path | None, days: int, form: str = "", host: str = "") -> int:
    """Writes what agents did in the last `days` as JSON lines; with a `form` (json, csv) what they sent, to `host` if given.

    Writes to `file` (mode 0600) or standard output. Raises `DiskFull`, `NotAllowed`.
    """
    from app.domain.agents.egress import sent_lines
    from app.store.runs.audit import export_lines
    from app.store.runs.model_calls import load_sent_calls

    since = datetime.now(UTC) - timedelta(days=days)
    with _open_store(root) as db, _open_service_records(DataFolder(root)) as served:
        stores = [db] if served is None else [db, served]
        if form:
            sent = (one.load(load_sent_calls, since, host, MOST_EXPORTED) for one in stores)
            lines = sent_lines(chain.from_iterable(sent), form)
        else:
            lines = chain.from_iterable(export_lines(one, since) for one in stores)
        if file is None:
            if isinstance(sys.stdout, TextIOWrapper):
                sys.stdout.reconfigure(encoding="utf-8")
            try:
                sys.stdout.writelines(f"{line}\n" for line in lines)
                sys.stdout.flush()
            except BrokenPipeError:  # a closed pipe is no error
                os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # so that the flush at exit does not fail
            return 0
        with _open_for_writing(file, mode=0o600) as out:
            out.writelines(f"{line}\n" for line in lines)
    return 0


@contextmanager
def _open_service_records(folder: DataFolder) -> Iterator[Database | None]:
    """What the Gmail service did, None where it never ran."""
    path = service_records(folder)
    if not path.exists():
        yield None
        return
    with closing(Database.open_beside(path)) as served:
        yield served


@contextmanager
def _open_for_writing(file: Path, mode: int = 0o666) -> Iterator[TextIO]:
    """Opens a text file to write, with `mode` also for an existing file. Raises `DiskFull`, `NotAllowed`."""
    try:
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as out:
            if mode & 0o077 == 0 and os.name == "posix" and file.is_file():
                os.fchmod(handle, mode)
            yield out
    except OSError as error:
        raise unwritten(file, error) from error


@contextmanager
def _open_store(root: Path) -> Iterator[Database]:
    """Opens the store of a data folder exclusively. Raises `AlreadyRunning`, `StoreTooNew`, `StoreDamaged`."""
    folder = DataFolder(root)
    folder.prepare()
    with FolderLock(folder.lock), closing(Database.open(folder.database)) as db:
        yield db
