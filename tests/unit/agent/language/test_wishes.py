"""What a sentence wants, by its words."""

import pytest

from app.agent.language.wishes import shipped_wishes


@pytest.mark.parametrize(
    ("wants", "tells"),
    [
        ("Remarks before the weekend would help us a lot.", "Remarks of the first reader are in the folder."),
        ("Your answer about the cellar is still missing.", "Your answer about the cellar came yesterday."),
        ("Am liebsten wäre uns Freitag nach der Schule.", "Am Freitag war die Schule geschlossen."),
        ("Byla bych ráda, kdyby se to spravilo.", "Včera jsme to spravili."),
    ],
)
def test_a_wish_in_words_of_no_table_is_likelier_than_news(wants: str, tells: str) -> None:
    model = shipped_wishes()
    assert model.likelihood([tells]) + 0.5 < model.likelihood([tells, wants]) == model.likelihood([wants])
