"""A notice about a file with a mistake: where it is, what is wrong, what to do, and that the last good state is in force."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QFrame

from app.domain.rule_commands import FileFault
from app.ui.build import button, column, label, row
from app.ui.file_faults import spoken_fault
from app.ui.scale import Space, Type


class FaultNotice(QFrame):
    """Hidden while there is nothing to tell. `open_path` shows the file in the system's own editor."""

    def __init__(self, open_path: Callable[[Path], object]) -> None:
        super().__init__()
        self.setProperty("role", "notice")
        self.setProperty("tone", "danger")
        self._path = Path()
        self.where = label("", Type.STRONG, wrap=True)
        self.words = label("", wrap=True)
        self.open_file = button(self.tr("Open the file"), "", lambda: open_path(self._path))
        across = row(None, 0, Space.SMALL)
        across.addWidget(self.open_file)
        across.addStretch(1)
        lines = column(self, Space.MEDIUM, Space.SMALL)
        lines.addWidget(self.where)
        lines.addWidget(self.words)
        lines.addLayout(across)
        self.hide()

    def show_fault(self, path: Path, fault: FileFault | None, in_force: bool) -> None:
        """Tell a fault; None hides the notice. `in_force`: something of a better state is, and stands below."""
        self._path = path
        if fault is not None:
            where = self.tr("%1, line %2").replace("%1", path.name).replace("%2", str(fault.line)) if fault.line else path.name
            self.where.setText(self.tr("This file has a mistake: %1").replace("%1", where))
            rest = self.tr("What stands below is the last good state; it stays in force until the file is mended.")
            if not in_force:
                rest = self.tr("Nothing of it is in force until it is mended.")
            self.words.setText(f"{spoken_fault(fault.detail)} {spoken_fault(fault.remedy)} {rest}")
        self.setVisible(fault is not None)
