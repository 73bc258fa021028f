"""Runs before the program: what it starts later gets the surroundings that it was started in itself.

PyInstaller's loader points LD_LIBRARY_PATH at our own libraries. The dynamic loader has read it by now, and a program of
the system (a browser, a file manager, a tool server) that inherits it loads our libraries instead of its own. Its notes to
itself go too: with them, our own engine would believe that the path is set.
"""

import os
import re
import sys

_HELPER = re.compile(r"(?:import sys; ?)?from multiprocessing\.(?:resource_tracker|forkserver) import main; ?main\(.*\)$")


def _restore() -> None:
    for name in [name for name in os.environ if name.startswith("_PYI_")]:
        del os.environ[name]
    before = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
    if before:
        os.environ["LD_LIBRARY_PATH"] = before
    else:
        os.environ.pop("LD_LIBRARY_PATH", None)


def _help_multiprocessing() -> None:
    """A helper process of `multiprocessing` is this program once more with Python's own arguments: it does that work and ends.
    Without this, each would open a window. PyInstaller's own hook would import the library at every start."""
    words = sys.argv[1:]
    if words[:1] == ["--multiprocessing-fork"]:
        from multiprocessing.spawn import freeze_support

        # What the program's first module will be; another is looked for on the disk.
        sys.modules["__main__"].__file__ = f"{sys._MEIPASS}/__main__.py"
        freeze_support()
    wanted = words[words.index("-c") + 1 :][:1] if "-c" in words else []
    if wanted and _HELPER.fullmatch(wanted[0]):
        exec(wanted[0])
        sys.exit()


_restore()
_help_multiprocessing()
