"""The first two screens without an account: what to begin with, and how a model is chosen. Large choices, one sentence each."""

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from app.ui.build import button, column, label, row
from app.ui.context import Context
from app.ui.icon_label import IconLabel
from app.ui.scale import Space, Type
from app.ui.welcome.screen import Screen

ICON = 28


class Choice(QPushButton):
    """A card that is a button: icon, words, sentence. Enter and Space press it."""

    def __init__(self, context: Context, icon: str, title: str, sentence: str, chosen: Callable[[], object]) -> None:
        super().__init__()
        self.setProperty("role", "choice")
        self.setAutoDefault(True)
        self.setAccessibleName(title)
        self.setAccessibleDescription(sentence)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        across = row(self, Space.LARGE, Space.LARGE)
        across.addWidget(IconLabel(context.icons, icon, "accent", ICON), 0, Qt.AlignmentFlag.AlignTop)
        words = QWidget()
        lines = column(words, 0, Space.HAIR)
        lines.addWidget(label(title, Type.STRONG, wrap=True))
        lines.addWidget(label(sentence, Type.BODY, "soft", wrap=True))
        across.addWidget(words, 1)
        for child in self.findChildren(QWidget):
            child.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setMinimumSize(QSize(0, ICON + 2 * Space.LARGE))
        self.clicked.connect(lambda _checked=False: chosen())


class ChooseScreen(Screen):
    """Nothing is connected yet."""

    def __init__(self, context: Context, connect: Callable[[], object], sample: Callable[[], object] | None) -> None:
        super().__init__(
            self.tr("Welcome to Replyroom"),
            self.tr("It reads your mail on this computer, drafts replies, and sends only what you approve."),
        )
        words = self.tr("A mailbox of a small bicycle workshop, on this computer only. Nothing leaves it.")
        self.sample = Choice(context, "sample", self.tr("Try the sample mailbox"), words, sample or (lambda: None))
        self.sample.setVisible(sample is not None)
        words = self.tr("With your own Google client, in four steps. About ten minutes, once.")
        self.connect_gmail = Choice(context, "mail", self.tr("Connect Gmail"), words, connect)
        words = self.tr("An mbox file, a Maildir folder or a Google Takeout file, to read and search here. Nothing is sent.")
        archive = context.actions["window.import"]
        self.archive = Choice(context, "import", self.tr("Open a mail archive"), words, archive.trigger)
        self.lines.addWidget(self.sample)
        self.lines.addWidget(self.connect_gmail)
        self.lines.addWidget(self.archive)
        self.start = self.sample if sample is not None else self.connect_gmail


class ModelScreen(Screen):
    """A model, or none."""

    def __init__(self, context: Context, choose: Callable[[], object], without: Callable[[], object]) -> None:
        super().__init__(
            self.tr("Draft with a language model?"),
            self.tr("You can change this at any time in Settings."),
        )
        words = self.tr(
            "Sorting stays on this computer. Drafts come from your own earlier replies and templates; gaps are marked."
        )
        self.without = Choice(context, "no_model", self.tr("Go on without one"), words, without)
        words = self.tr("A provider with your own key, or a model on this computer. Mail to be answered is sent to it.")
        self.choose = Choice(context, "model", self.tr("Choose a model"), words, choose)
        self.lines.addWidget(self.without)
        self.lines.addWidget(self.choose)
        self.start = self.without


class WaitScreen(Screen):
    """The user is elsewhere: in the browser at Google, or the sample is being made."""

    def __init__(self, title: str, words: str, back: str, go_back: Callable[[], object]) -> None:
        super().__init__(title, words)
        self.back = button(back, "", go_back)
        self.lines.addWidget(self.back, 0, Qt.AlignmentFlag.AlignLeft)
        self.start = self.back
