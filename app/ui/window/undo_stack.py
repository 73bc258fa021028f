"""The steps that can be undone in this window: all that notices offered to undo, newest last."""

from collections.abc import Callable

Step = Callable[[], object]
MOST = 50


class UndoStack:
    """Keeps the newest `MOST` steps. Each is taken once, by its notice or by the key."""

    def __init__(self) -> None:
        self._steps: list[Step] = []

    def put(self, step: Step) -> None:
        """Adds a step as the newest. A step that is there already keeps its place."""
        if step not in self._steps:
            self._steps = [*self._steps, step][-MOST:]

    def take(self, step: Step) -> None:
        """Undoes `step` unless that was done already."""
        if step in self._steps:
            self._steps.remove(step)
            step()

    def take_last(self) -> bool:
        """Undoes the newest step. Returns whether there was one."""
        if not self._steps:
            return False
        self._steps.pop()()
        return True

    def clear(self) -> None:
        self._steps.clear()
