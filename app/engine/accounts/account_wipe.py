"""Wiping an account. The wipe is noted first and done while no file is open; if cut short, it is repeated at the next start.

A note that cannot be read is set aside and reported at each start until an account is wiped.
"""

import logging
import shutil
from contextlib import suppress

import msgspec

from app.config import logs
from app.config.paths import DataFolder, checkpoint_files
from app.config.settings_file import write_atomically
from app.domain.errors import WipeUnclear
from app.domain.ids import AccountId
from app.store.accounts import erase_account
from app.store.requests.artifacts import ArtifactFolder, documents_named_in

log = logging.getLogger(__name__)

NOTE, UNCLEAR = "wipe.json", "wipe-unclear.json"


class PendingWipe(msgspec.Struct, frozen=True):
    """The noted wipe: the account and the address its sign-in is stored under."""

    account_id: int
    email: str


def note_wipe(folder: DataFolder, account_id: AccountId, email: str) -> None:
    """Notes that the account is to be wiped; the note survives a crash. Raises `DiskFull`."""
    write_atomically((folder.root / NOTE), msgspec.json.encode(PendingWipe(account_id, email)).decode())


def pending_wipe(folder: DataFolder) -> PendingWipe | None:
    """The noted wipe that is not done yet. An unreadable note is set aside for `unclear_wipe`."""
    try:
        return msgspec.json.decode((folder.root / NOTE).read_bytes(), type=PendingWipe)
    except FileNotFoundError:
        return None
    except (msgspec.MsgspecError, OSError) as error:
        log.error("the note of a wipe cannot be read: %s", type(error).__name__)
        with suppress(OSError):  # `unclear_wipe` reports it in its old place too
            (folder.root / NOTE).replace(folder.root / UNCLEAR)
        return None


def unclear_wipe(folder: DataFolder) -> WipeUnclear | None:
    """Returns an error if an account was to be wiped and the note cannot be read."""
    kept = next((one for one in ((folder.root / UNCLEAR), (folder.root / NOTE)) if one.exists()), None)
    return None if kept is None else WipeUnclear(str(kept))


def wipe(folder: DataFolder, wanted: PendingWipe) -> None:
    """Deletes the account from every file. Blocks while the database is rewritten.

    Raises `ExpectedError` of the store; then the note stays and the next start tries again.
    """
    erase_account(folder.database, AccountId(wanted.account_id))
    for checkpoints in checkpoint_files(folder):
        for path in folder.root.glob(f"{checkpoints.name}*"):
            path.unlink()
    for cache in (folder.chroma, folder.attachments / str(wanted.account_id)):
        shutil.rmtree(cache, ignore_errors=not cache.exists())
    ArtifactFolder(folder.artifacts).keep_only(documents_named_in(folder.database))
    folder.prepare()
    logs.empty(folder.logs)
    (folder.root / NOTE).unlink()
    (folder.root / UNCLEAR).unlink(missing_ok=True)
    log.info("account %d was wiped", wanted.account_id)
