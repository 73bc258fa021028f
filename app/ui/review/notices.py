"""What stands above the buttons: red flags in words, and the reason when an approval was refused."""

from PySide6.QtWidgets import QFrame, QWidget

from app.domain.review import FlagKind, RedFlag
from app.ui.announcing import announce
from app.ui.build import clear, column, label
from app.ui.icon_label import IconLabel
from app.ui.icons import Icons
from app.ui.review.words import flag_words
from app.ui.scale import Space
from app.ui.standing import notice_line

GRAVE = frozenset({FlagKind.LOOK_ALIKE_DOMAIN, FlagKind.CREDENTIAL, FlagKind.QUOTES_PRIVATE_SOURCE, FlagKind.REPLY_TO_DIFFERS})


class FlagBar(QWidget):
    """One line a flag, the grave ones first and in the danger tone."""

    def __init__(self, icons: Icons) -> None:
        super().__init__()
        self._icons = icons
        self._lines = column(self, 0, Space.TIGHT)
        self.words: tuple[str, ...] = ()
        self._refusal = self._note = ""
        self._note_icon = "offline"
        self._flags: tuple[RedFlag, ...] = ()
        self._gone: tuple[str, ...] = ()

    def note(self, sentence: str, icon: str) -> None:
        """What else becomes of an approval now, beside its icon; an empty sentence takes it back."""
        if sentence != self._note:
            self._note, self._note_icon = sentence, icon
            self._fill()

    def show_flags(self, flags: tuple[RedFlag, ...]) -> None:
        """The flags of the item on screen."""
        self._flags, self._refusal, self._gone = flags, "", ()
        self._fill()
        announce(self, self.accessibleName())

    def leave_out(self, files: tuple[str, ...]) -> None:
        """These files do not go along any more: nothing warns of them."""
        if files != self._gone:
            self._gone = files
            self._fill()

    def refuse(self, sentence: str) -> None:
        """Say why an approval was refused; an empty sentence takes it back."""
        if sentence != self._refusal:
            self._refusal = sentence
            self._fill()
            announce(self, sentence, urgent=True)

    @property
    def refusal(self) -> str:
        """The refusal on screen, empty if there is none."""
        return self._refusal

    def _fill(self) -> None:
        clear(self._lines)
        standing = [one for one in self._flags if one.kind is not FlagKind.ATTACHMENT or one.about not in self._gone]
        flags = sorted(standing, key=lambda flag: flag.kind not in GRAVE)
        self.words = tuple(flag_words(flag) for flag in flags)
        for flag, words in zip(flags, self.words, strict=True):
            self._lines.addWidget(self._line(words, "danger" if flag.kind in GRAVE else "warning", "flag"))
        if self._refusal:
            self._lines.addWidget(self._line(self._refusal, "danger", "error"))
        if self._note:
            self._lines.addWidget(self._line(self._note, "", self._note_icon))
        said = [one for one in (*self.words, self._refusal, self._note) if one]
        self.setAccessibleName(" ".join(said))
        self.setVisible(bool(said))

    def _line(self, words: str, tone: str, icon: str) -> QFrame:
        return notice_line(IconLabel(self._icons, icon, tone or "neutral", 16), label(words, tone=tone, wrap=True), tone)
