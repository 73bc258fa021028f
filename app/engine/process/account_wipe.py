"""Wiping an account: noted first, then done while nothing is open, file by file, and again at the next start if it was cut short.

A note that cannot be read is set aside and told at each start, until an account is wiped.
"""

import logging
import shutil
from contextlib import suppress
from pathlib import Path

import msgspec

from app.config import logs
from app.config.paths import DataFolder, checkpoint_files
from app.config.settings_file import write_atomically
from app.domain.errors import WipeUnclear
from app.domain.ids import AccountId
from app.store.accounts.wiping import erase_account
from app.store.requests.artifacts import ArtifactFolder, documents_named_in

log = logging.getLogger(__name__)


class PendingWipe(msgspec.Struct, frozen=True):
    """The note: which account, and the address its sign-in is kept under."""

    account_id: int
    email: str


def note_wipe(folder: DataFolder, account_id: AccountId, email: str) -> None:
    """From now on the account is going to be wiped, whatever happens. Raises `DiskFull`."""
    write_atomically(_note(folder), msgspec.json.encode(PendingWipe(account_id, email)).decode())


def pending_wipe(folder: DataFolder) -> PendingWipe | None:
    """What was noted and is not done yet; what cannot be read is set aside (`unclear_wipe`)."""
    try:
        return msgspec.json.decode(_note(folder).read_bytes(), type=PendingWipe)
    except FileNotFoundError:
        return None
    except (msgspec.MsgspecError, OSError) as error:
        log.error("the note of a wipe cannot be read: %s", type(error).__name__)
        with suppress(OSError):  # then it stays where it is, and is told all the same
            _note(folder).replace(_unclear(folder))
        return None


def unclear_wipe(folder: DataFolder) -> WipeUnclear | None:
    """That an account was to be wiped and nobody knows which."""
    kept = next((one for one in (_unclear(folder), _note(folder)) if one.exists()), None)
    return None if kept is None else WipeUnclear(str(kept))


def wipe(folder: DataFolder, wanted: PendingWipe) -> None:
    """Take the account out of every file; blocks for as long as the database takes to be written anew. Raises the store's
    trouble; then the note stands and it is done at the next try."""
    erase_account(folder.database, AccountId(wanted.account_id))
    for checkpoints in checkpoint_files(folder):
        for path in folder.root.glob(f"{checkpoints.name}*"):
            path.unlink()
    for cache in (folder.chroma, folder.attachments / str(wanted.account_id)):
        _remove(cache)
    ArtifactFolder(folder.artifacts).keep_only(documents_named_in(folder.database))
    folder.prepare()
    logs.empty(folder.logs)
    _note(folder).unlink()
    _remove(_unclear(folder))
    log.info("account %d was wiped", wanted.account_id)


def _remove(path: Path) -> None:
    """A file or a folder, if it is there."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _unclear(folder: DataFolder) -> Path:
    return folder.root / "wipe-unclear.json"


def _note(folder: DataFolder) -> Path:
    return folder.root / "wipe.json"
