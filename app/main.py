"""The composition root: parses the command and runs it. Nothing else imports it, except `app.__main__`.

Each command imports only what it needs: the window must not load the engine's libraries, nor the engine Qt.
"""

import gc
import os
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.arguments import PROGRAM, parser, written_to
from app.config.paths import DataFolder, default_data_folder, own_command, program_version, service_lock
from app.domain.errors import ExpectedError, NotAllowed

if TYPE_CHECKING:
    from argparse import Namespace

    from app.domain.ports.window import MailboxReader


def main(arguments: list[str] | None = None) -> int:
    """Runs one command. An `ExpectedError` is printed and gives exit code 2."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] == ["sandbox"]:
        from app.sandbox.server.server import serve

        return serve(words[1:])
    if words[:1] == ["keep-server"]:
        from app.agent.llm.local_server import keep_server

        return keep_server(words[1:])
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # the terminal's encoding may lack a character
    words, mailto = written_to(words)
    options = parser().parse_args(words)
    if options.version:
        sys.stdout.write(f"Replyroom {program_version()}\n")
        return 0
    try:
        return _run(options, mailto)
    except ExpectedError as error:
        sys.stderr.write(f"{PROGRAM}: {error}\n")
        return 2


def _run(options: "Namespace", mailto: str) -> int:
    """Runs the command, by default the window."""
    if options.self_test:
        from app.cli.self_test.run import run_self_test

        gc.disable()  # this process only imports and ends: a quarter of its CPU time was spent looking for garbage
        return run_self_test(own_command(), program_version())
    if options.command == "engine":
        return _engine(options.engine_data)
    if options.command == "read-file":
        from app.mail.file_text import read_file

        return read_file(options.file, options.kind, sys.stdout.buffer)
    if options.command == "demo":
        from app.demo.command import run_demo

        return run_demo(options, engine_command)
    root = options.data or default_data_folder()
    if options.command == "import":
        from app.engine.files.archive_importer import run_import

        return run_import(root, options.file)
    if options.command == "doctor":
        from app.cli.doctor import run_doctor

        return run_doctor(root, as_json=options.json, bundle=options.bundle)
    if options.command == "serve-gmail":
        return _service(options, options.service_data or root)
    if options.command == "eval":
        from app.cli.evaluation import run_eval

        return run_eval(options, root)
    if options.command in ("pharmacy", "audit"):
        from app.cli.chores import run_chore

        return run_chore(options, root)
    return _window(DataFolder(root), mailto)


def engine_command(data: DataFolder) -> list[str]:
    """The command that starts the engine for this folder."""
    return [*own_command(), "engine", "--data", str(data.root)]


def _engine(root: Path) -> int:
    for name in ("LANGSMITH_TRACING", "LANGCHAIN_TRACING_V2"):
        os.environ[name] = "false"
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # two threads take 11 ms for what one does in 4: they wait for each other
    from app.engine.runtime.process_control import step_back

    step_back()  # before the slow imports, which would delay the window's own
    from app.engine.process.main import run_engine

    return run_engine(root, dict(os.environ))


def _service(options: "Namespace", root: Path) -> int:
    """The Gmail service. A lock file allows one per folder."""
    from app.engine.runtime.process_control import FolderLock
    from app.service.server import run_service

    folder = DataFolder(root)
    if options.show_token or options.keep_token:
        return run_service(options, root, os.environ)
    if not folder.database.exists():
        raise NotAllowed(f"There is no mailbox in {root}.", "Start Replyroom in that folder first.")
    folder.prepare()
    with FolderLock(service_lock(folder)):
        return run_service(options, root, os.environ)


def _window(data: DataFolder, mailto: str = "") -> int:
    """The window process. Imports only what the first frame needs."""
    gc.disable()  # the window collects garbage on its own thread
    from app.store.reader.glance import glance
    from app.ui.startup.application import WindowOptions, run_window, tell_failure
    from app.ui.window.first_frame import ROWS

    try:
        data.prepare()
    except ExpectedError as error:
        from app.demo.command import has_display

        if not sys.stderr.isatty() and has_display() and os.environ.get("QT_QPA_PLATFORM") != "offscreen":
            tell_failure(str(error))
        raise
    options = WindowOptions(
        mailto=mailto,
        sample_command=(*own_command(), "demo"),
        glance=lambda page: glance(data.database, page, ROWS),
        first_paint=lambda _at: _log_to(data.logs),
    )
    return run_window(data, lambda: open_mailbox(data), engine_command(data), options)


def _log_to(folder: Path) -> None:
    """Starts the window's log. `logging` is imported late because it is slow."""
    from app.config import logs

    logs.setup(folder, "window")


def open_mailbox(data: DataFolder) -> "MailboxReader":
    """Opens the window's reader of the store."""
    from app.store.reader.mailbox_reader import SqliteMailboxReader

    return SqliteMailboxReader(data.database)
