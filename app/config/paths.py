"""Paths of files: the data folder of one profile, and the program's resources. All such paths are built here."""

import os
import sys
from pathlib import Path
from typing import NamedTuple

from app.domain.errors import NotAllowed

DATA_VARIABLE = "REPLYROOM_DATA"
CLIENT_VARIABLE = "REPLYROOM_GOOGLE_CLIENT"


class DataFolder(NamedTuple):
    """The files of one profile under `root`."""

    root: Path

    @property
    def database(self) -> Path:
        """The SQLite database: mailbox, runs, reviews and outbox."""
        return self.root / "mail.db"

    @property
    def checkpoints(self) -> Path:
        """LangGraph's checkpoints of unfinished runs."""
        return self.root / "checkpoints.db"

    @property
    def chroma(self) -> Path:
        """Embeddings: a cache that may be deleted."""
        return self.root / "chroma"

    @property
    def settings(self) -> Path:
        return self.root / "settings.toml"

    @property
    def rules(self) -> Path:
        """The user's routing rules and agent profiles."""
        return self.root / "routing.yaml"

    @property
    def consents(self) -> Path:
        return self.root / "mcp.json"

    @property
    def logs(self) -> Path:
        """Log files, one per process."""
        return self.root / "logs"

    @property
    def window_state(self) -> Path:
        """Window sizes, splitters and half-typed texts."""
        return self.root / "window.ini"

    @property
    def session(self) -> Path:
        """What the window shows (page, selection, scroll positions); rewritten often."""
        return self.root / "session.json"

    @property
    def undelivered(self) -> Path:
        """Commands given while the engine was down, for the next start."""
        return self.root / "undelivered.bin"

    @property
    def window_lock(self) -> Path:
        """Held by the window: one window per folder."""
        return self.root / "window.lock"

    @property
    def lock(self) -> Path:
        """Held by the engine: one engine per folder."""
        return self.root / "lock"

    @property
    def artifacts(self) -> Path:
        """Files that the app made or stored for drafts."""
        return self.root / "artifacts"

    @property
    def attachments(self) -> Path:
        """Opened attachments, one folder per account. They can be fetched again."""
        return self.root / "attachments"

    def prepare(self) -> None:
        """Creates the folder, accessible by its owner only. Raises `NotAllowed` where that fails."""
        try:
            for folder in (self.root, self.logs, self.artifacts, self.attachments):
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.root.chmod(0o700)
        except OSError as error:
            detail = f"The data folder {self.root} cannot be used: {error.strerror}."
            raise NotAllowed(detail, f"Mend that, or name another folder with --data or {DATA_VARIABLE}.") from error


def gmail_checkpoints(folder: DataFolder) -> Path:
    """LangGraph's checkpoints of the assistant's Gmail agent."""
    return folder.root / "gmail-checkpoints.db"


def service_checkpoints(folder: DataFolder) -> Path:
    """LangGraph's checkpoints of the Gmail service's threads."""
    return folder.root / "service-checkpoints.db"


def service_records(folder: DataFolder) -> Path:
    """The Gmail service's own model calls and audit, in tables like the mailbox's."""
    return folder.root / "service.db"


def service_lock(folder: DataFolder) -> Path:
    """Held by the Gmail service: one per folder."""
    return folder.root / "service.lock"


def checkpoint_files(folder: DataFolder) -> tuple[Path, ...]:
    """All checkpoint files. They refer to database rows and hold parts of mail, so they are wiped and restored together with
    it.
    """
    return (folder.checkpoints, gmail_checkpoints(folder), service_checkpoints(folder))


def default_data_folder() -> Path:
    """`REPLYROOM_DATA`, or the platform's folder for user data."""
    named = os.environ.get(DATA_VARIABLE, "")
    if named:
        return Path(named).expanduser()
    import platformdirs

    return Path(platformdirs.user_data_dir("Replyroom", appauthor=False))


def default_state_folder() -> Path:
    """The platform's folder for state that is never copied with a data folder."""
    import platformdirs

    state = Path(platformdirs.user_state_dir("Replyroom", appauthor=False))
    data = Path(platformdirs.user_data_dir("Replyroom", appauthor=False))
    return state if state != data else data.with_name("Replyroom.state")


def own_command() -> tuple[str, ...]:
    """The command that starts this program: the binary when frozen, else this interpreter."""
    return (sys.executable,) if getattr(sys, "frozen", False) else (sys.executable, "-m", "app")


def program_version() -> str:
    """The installed version, or that of a source tree."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("replyroom")
    except PackageNotFoundError:
        return "0.1.0+source"


def built_in_client() -> Path | None:
    """The Google OAuth client of this build, None without.

    `REPLYROOM_GOOGLE_CLIENT` names the file; else a distributor may have added `resources/google_client.json`.
    """
    named = os.environ.get(CLIENT_VARIABLE, "")
    if named:
        return Path(named)
    try:
        return resource("google_client.json")
    except FileNotFoundError:
        return None


def resource(*parts: str) -> Path:
    """A file of `resources/`: beside the source, inside the wheel, or inside the frozen program.

    Raises `FileNotFoundError` with the path where the program was installed without it.
    """
    here = Path(__file__).resolve()
    roots = (Path(getattr(sys, "_MEIPASS", here.parents[2])) / "resources", here.parents[1] / "_resources")
    for root in roots:
        path = root.joinpath(*parts)
        if path.exists():
            return path
    raise FileNotFoundError(f"The program's file {'/'.join(parts)} is missing; install Replyroom again.")
