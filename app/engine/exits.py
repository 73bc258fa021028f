"""Why a house is left: for good, or to be built anew over files that had to be closed first."""

from collections.abc import Callable
from dataclasses import dataclass

from app.domain.ids import AccountId


@dataclass(frozen=True, slots=True)
class Exits:
    """Call them in the loop's thread, `index_lost` from any. `stop` ends the engine; `wipe` (account, its address) closes
    everything and takes the account out of all files; `index_lost` opens everything again, so that the vectors are built anew."""

    stop: Callable[[], None]
    wipe: Callable[[AccountId, str], None]
    index_lost: Callable[[], None]
