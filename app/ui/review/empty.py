"""What Review says where its queue is empty, with the way on."""

from PySide6.QtCore import QCoreApplication

from app.ui.context import Context
from app.ui.state import StateView


def show_empty(state: StateView, context: Context, pending: bool) -> None:
    """`pending` tells what waits from what was decided."""
    if not pending:
        title = QCoreApplication.translate("ReviewPage", "Nothing decided yet")
        words = QCoreApplication.translate("ReviewPage", "What you approve or reject is listed here.")
        state.show_state("review", title, words)
    elif context.reader.runs(1):
        title = QCoreApplication.translate("ReviewPage", "All clear")
        words = QCoreApplication.translate(
            "ReviewPage", "Nothing waits for you. New drafts and questions appear here by themselves."
        )
        way = QCoreApplication.translate("ReviewPage", "Go to Inbox")
        state.show_state("done", title, words, way, lambda: context.navigator.show_page("inbox"))
    else:
        title = QCoreApplication.translate("ReviewPage", "Nothing is looked at yet")
        words = QCoreApplication.translate("ReviewPage", "Choose which mail the assistant may look at. Nothing starts unasked.")
        way = QCoreApplication.translate("ReviewPage", "Choose mail…")
        state.show_state("model", title, words, way, lambda: context.navigator.show_page("welcome"))
