"""The sample mailbox as a program of its own beside this one. Refuses to start a second one while the first runs: a key that is
pressed twice opens one window."""

from collections.abc import Sequence

from PySide6.QtCore import QProcess


class SampleProgram:
    """`start` is called with every press; `pid` is 0 before the first."""

    def __init__(self, command: Sequence[str]) -> None:
        self._program, self._arguments = command[0], list(command[1:])
        self.pid = 0

    def start(self) -> bool:
        """Start it, unless it runs; whether it does."""
        if self.pid and _runs(self.pid):
            return True
        started, pid = QProcess.startDetached(self._program, self._arguments)
        self.pid = pid if started else 0
        return started


def _runs(pid: int) -> bool:
    from psutil import STATUS_ZOMBIE, NoSuchProcess, Process  # 20 ms that only a second press pays for

    try:
        return bool(Process(pid).status() != STATUS_ZOMBIE)
    except NoSuchProcess:
        return False
