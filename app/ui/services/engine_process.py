"""Starts the engine process. Apart from the bridge, so that engine and window can import at the same time: the engine is ready
half a second sooner.
"""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QProcess, QProcessEnvironment


def spawn(command: Sequence[str], environment: Mapping[str, str]) -> QProcess:
    """Starts the engine; its standard error is ours too. Signals of the process report whether it started."""
    given = QProcessEnvironment()
    for name, value in environment.items():
        given.insert(name, value)
    process = QProcess()
    process.setProcessEnvironment(given)
    process.setProcessChannelMode(QProcess.ProcessChannelMode.ForwardedErrorChannel)
    process.start(command[0], list(command[1:]))
    return process
