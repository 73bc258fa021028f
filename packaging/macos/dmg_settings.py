"""How the disk image looks: the program beside a link to Applications. Read by dmgbuild, which hands `defines` in.

dmgbuild -s packaging/macos/dmg_settings.py -D app=dist/Replyroom.app Replyroom dist/Replyroom.dmg
"""

from pathlib import Path

app = Path(defines["app"])  # noqa: F821  from dmgbuild

format = "ULMO"  # noqa: A001  dmgbuild's word
filesystem = "HFS+"
files = [str(app)]
symlinks = {"Applications": "/Applications"}
icon = str(app / "Contents" / "Resources" / "replyroom.icns")
icon_locations = {app.name: (150, 170), "Applications": (450, 170)}
icon_size = 112
text_size = 13
window_rect = ((240, 240), (600, 380))
default_view = "icon-view"
