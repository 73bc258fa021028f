"""The settings of a trial on the sample mailbox: its calendar and contacts are connected, in its owner's time zone.

Refuses to touch settings for a mailbox of the user's own.
"""

import re
from pathlib import Path

from app.config.paths import DataFolder
from app.config.settings_file import change

ZONE = re.compile(r"^timezone:\s*(\S+)\s*$", re.MULTILINE)


def write_sample_settings(data: DataFolder, sample: Path) -> None:
    """Write them into an empty data folder."""
    found = ZONE.search((sample / "owner.yaml").read_text(encoding="utf-8"))
    zone = f'"{found[1]}"' if found else '""'
    change(data.settings, (("calendar.connected", "true"), ("contacts.connected", "true"), ("calendar.time_zone", zone)))
