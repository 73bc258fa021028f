"""Where one is in a conversation: the chosen letter, how far it is scrolled, and whether its quoted words are unfolded."""

from app.domain.ids import MessageId
from app.ui.mail.reading import ReadingPane
from app.ui.parts import Parts
from app.ui.whereabouts import Spot, long_number


def keep_reading(parts: Parts, pane: ReadingPane) -> None:
    """Let it come back with the conversation."""

    def read() -> Spot:
        pane.settle()
        return {"thread": int(pane.thread_id), **pane.body.place()} if pane.thread_id is not None else {}

    def put_back(place: Spot) -> bool:
        pane.settle()
        if pane.thread_id is None or pane.thread_id != place.get("thread"):
            return False
        if pane.message is not None and place.get("about") != str(pane.message.id):
            pane.show_thread(pane.thread_id, MessageId(long_number(place, "about")))
        pane.body.return_to(place)
        return True

    parts.add("reading", read, put_back, pane.showed, pane.body.moved, fleeting=True)
    pane.showed.connect(lambda: parts.retry("reading"))
