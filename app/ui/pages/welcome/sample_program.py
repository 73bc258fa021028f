"""Runs the sample mailbox as a program of its own, whose window takes the place of this one until it ends."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, Signal

CONNECT_GMAIL = 10
"""Exit code of the sample's program when the user wants to connect Gmail."""
FAILED = 1
STOP_MS = 3000


class SampleProgram(QObject):
    """Emits `opened` when the sample's window is there, and `ended` with the exit code."""

    opened = Signal()
    ended = Signal(int)

    def __init__(self, command: Sequence[str]) -> None:
        super().__init__()
        self._process = QProcess(self)
        self._process.setProgram(command[0])
        self._process.setArguments(list(command[1:]))
        self._process.setProcessEnvironment(QProcessEnvironment.systemEnvironment())
        self._process.setStandardErrorFile(QProcess.nullDevice())
        self._process.readyReadStandardOutput.connect(self._read)
        self._process.finished.connect(self._finished)
        self._process.errorOccurred.connect(self._failed)
        self.destroyed.connect(self._process.kill)

    @property
    def pid(self) -> int:
        """Process id, 0 while it does not run."""
        return self._process.processId()

    def start(self) -> None:
        """Starts the program unless it runs."""
        if self._process.state() is QProcess.ProcessState.NotRunning:
            self._process.start()

    def stop(self) -> None:
        """Ends the program, because the user did not wait for its window."""
        self._process.terminate()
        if not self._process.waitForFinished(STOP_MS):
            self._process.kill()

    def _read(self) -> None:
        if b"ready" in self._process.readAllStandardOutput().data():
            self.opened.emit()

    def _finished(self, exit_code: int, status: QProcess.ExitStatus) -> None:
        self.ended.emit(exit_code if status is QProcess.ExitStatus.NormalExit else FAILED)

    def _failed(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart:
            self.ended.emit(FAILED)
