"""One line of recipients with a chip that says what is known of them."""

from collections import Counter

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.domain.mail import Address
from app.ui.build import chip, label, row, set_tone
from app.ui.parts import comes_back
from app.ui.review.recipient_line import RecipientLine
from app.ui.review.recipients import Standing, Surroundings, read, standing, written
from app.ui.review.words import standing_words
from app.ui.scale import Space, Type, at_text_size
from app.ui.tips import plain_tip

WORST_FIRST = (Standing.INVALID, Standing.LOOK_ALIKE, Standing.NEW, Standing.KNOWN, Standing.IN_THREAD)
NAME_WIDTH = 64


class RecipientField(QWidget):
    """`edited` is emitted while the user types."""

    edited = Signal()

    def __init__(self, title: str) -> None:
        super().__init__()
        self._around = Surroundings(frozenset(), frozenset(), frozenset())
        self._shown: tuple[str, tuple[Address, ...]] = ("", ())
        name = label(title, Type.CAPTION, "soft")
        name.setFixedWidth(at_text_size(NAME_WIDTH))
        self.line = RecipientLine()
        self.line.setAccessibleName(title)
        comes_back(self.line)
        self._chip = chip()
        layout = row(self, 0, Space.SMALL)
        layout.addWidget(name)
        layout.addWidget(self.line, 1)
        layout.addWidget(self._chip)
        self.line.textChanged.connect(self._mark)
        self.line.textEdited.connect(lambda _text: self.edited.emit())

    def show_addresses(self, addresses: tuple[Address, ...], around: Surroundings) -> None:
        """Fill in."""
        self._around = around
        self._shown = (written(addresses), addresses)
        self.line.setText(self._shown[0])
        self.line.setCursorPosition(0)
        self._mark()

    @property
    def addresses(self) -> tuple[Address, ...]:
        """What stands there; untouched it is what was shown, to the letter."""
        text = self.line.text()
        return self._shown[1] if text == self._shown[0] else read(text)

    @property
    def standings(self) -> tuple[Standing, ...]:
        """What is known of each address."""
        return tuple(standing(address, self._around) for address in self.addresses)

    @property
    def wrong(self) -> str:
        """The first that is no mail address, as it stands there; empty where all are."""
        found = (one for one in self.addresses if standing(one, self._around) is Standing.INVALID)
        return next((one.email or one.name for one in found), "")

    def _mark(self) -> None:
        counts = Counter(self.standings)
        shown = [one for one in WORST_FIRST if counts[one]]
        self._chip.setVisible(bool(shown))
        lines = [f"{address.email}: {standing_words(standing(address, self._around))[0]}" for address in self.addresses]
        self.line.setAccessibleDescription("; ".join(lines))
        self.line.say_whole(written((one,)) for one in self.addresses)
        if not shown:
            return
        single = len(shown) == 1 and counts[shown[0]] == 1
        words = [standing_words(one)[0] if single else f"{counts[one]} {standing_words(one)[0]}" for one in shown]
        self._chip.setText(", ".join(words))
        set_tone(self._chip, standing_words(shown[0])[1])
        self._chip.setToolTip(plain_tip("\n".join(lines)))
