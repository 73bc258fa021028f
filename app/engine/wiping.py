"""Wiping an account: noted first, then done while nothing is open, file by file, and again at the next start if it was cut short.

Refuses to leave the account's copies, logs, checkpoints or embeddings: what is shared with other accounts is built anew for them.
"""

import logging
import shutil
from pathlib import Path

import msgspec

from app.config import logs
from app.config.paths import DataFolder
from app.config.settings_file import write_atomically
from app.domain.ids import AccountId
from app.store.wiping import erase_account

log = logging.getLogger(__name__)


class PendingWipe(msgspec.Struct, frozen=True):
    """The note: which account, and the address its sign-in is kept under."""

    account_id: int
    email: str


def note_wipe(folder: DataFolder, account_id: AccountId, email: str) -> None:
    """From now on the account is going to be wiped, whatever happens. Raises `DiskFull`."""
    write_atomically(_note(folder), msgspec.json.encode(PendingWipe(account_id, email)).decode())


def pending_wipe(folder: DataFolder) -> PendingWipe | None:
    """What was noted and is not done yet."""
    try:
        return msgspec.json.decode(_note(folder).read_bytes(), type=PendingWipe)
    except FileNotFoundError:
        return None


def wipe(folder: DataFolder, wanted: PendingWipe) -> None:
    """Take the account out of every file; blocks for as long as the database takes to be written anew. Raises the store's
    trouble; then the note stands and it is done at the next try."""
    erase_account(folder.database, AccountId(wanted.account_id))
    for path in folder.root.glob(f"{folder.checkpoints.name}*"):
        path.unlink()
    for cache in (folder.chroma, folder.artifacts, folder.attachments / str(wanted.account_id)):
        if cache.exists():
            shutil.rmtree(cache)
    folder.prepare()
    logs.empty(folder.logs)
    _note(folder).unlink()
    log.info("account %d was wiped", wanted.account_id)


def _note(folder: DataFolder) -> Path:
    return folder.root / "wipe.json"
