"""Starting the engine's process. Apart from the bridge, so that the engine can begin its own imports while the window is still
at its: each has a core, and the engine is ready half a second sooner.
"""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QProcess, QProcessEnvironment


def spawn(command: Sequence[str], environment: Mapping[str, str]) -> QProcess:
    """The engine, on its way; what it says on standard error is ours too. Whether it starts is told by its signals."""
    given = QProcessEnvironment()
    for name, value in environment.items():
        given.insert(name, value)
    process = QProcess()
    process.setProcessEnvironment(given)
    process.setProcessChannelMode(QProcess.ProcessChannelMode.ForwardedErrorChannel)
    process.start(command[0], list(command[1:]))
    return process
