"""Widths that follow the text size."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from app.ui.navigation.painter import NARROW, WIDE, places_width
from app.ui.theme.metrics import at_text_size, base_font, text_factor


@pytest.fixture(autouse=True)
def restored(qapp: QApplication) -> Iterator[None]:
    """The font of before comes back."""
    before = qapp.font()
    yield
    qapp.setFont(before)


@pytest.mark.parametrize(("size", "factor"), [(0.8, 1.0), (1.0, 1.0), (1.25, 1.25), (2.0, 2.0)])
def test_widths_grow_with_text_and_never_shrink(qapp: QApplication, size: float, factor: float) -> None:
    qapp.setFont(base_font(size))
    assert text_factor() == pytest.approx(factor, abs=0.02)
    assert at_text_size(100) == pytest.approx(100 * factor, abs=2)


def test_the_navigation_grows_by_half_as_much(qapp: QApplication) -> None:
    qapp.setFont(base_font(1.0))
    assert (places_width(narrow=True), places_width(narrow=False)) == (NARROW, WIDE)
    qapp.setFont(base_font(2.0))
    assert places_width(narrow=False) == pytest.approx(1.5 * WIDE, abs=3)
