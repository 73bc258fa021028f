"""Chromium steps back behind the window's own thread: drawing a mail's HTML must not hold up keys, lists and plain words.

Its renderer is a process, but what it draws is put together by threads of this one; beside a busy engine both took their half of
a core from the thread that answers the user. Chromium even raises some of them where it may. They stay ahead of the engine, for
the user waits for this mail. On an idle machine nothing changes. Refuses to fail, and does nothing on Windows, whose scheduler
itself favours the thread that gets the keys.
"""

import os
import sys
from pathlib import Path

NICER = 5
"""A third of the weight of the window's thread, half as much again as the engine's."""
CHROMIUM = ("Chrome_", "Compositor", "NetworkService", "ThreadPool", "Viz", "llvmpipe")
"""How the threads are called that Chromium makes in this process; Linux keeps fifteen signs of it."""


def step_back(renderer: int) -> None:
    """Lower the priority of the process `renderer` and of Chromium's threads in this one, for good."""
    if sys.platform == "linux":
        drawing = [task for task in _tasks(os.getpid()) if _called(task).startswith(CHROMIUM)]
        for task in (*_tasks(renderer), *drawing):
            _lower(int(task.name))
    elif sys.platform != "win32":
        _lower(renderer)


def _tasks(pid: int) -> list[Path]:
    """The threads of a process; none when it is gone."""
    try:
        return list(Path(f"/proc/{pid}/task").iterdir())
    except OSError:
        return []


def _called(task: Path) -> str:
    try:
        return (task / "comm").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _lower(who: int) -> None:
    """A process, on Linux one thread; it may have ended meanwhile, or be out of reach."""
    if sys.platform != "win32":
        try:
            if os.getpriority(os.PRIO_PROCESS, who) < NICER:
                os.setpriority(os.PRIO_PROCESS, who, NICER)
        except OSError:
            return
