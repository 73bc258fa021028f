"""What a sentence wants, by its words."""

import pytest

from app.agent.language.wishes import HIGHEST, LOWEST, NOTHING, pieces, shipped_wishes


def test_pieces_are_words_their_beginnings_and_pairs() -> None:
    assert pieces("Sénding 25!") == {"sending", "sendi*", "#", "^ sending", "^_send", "sending #", "send_#", "# $", "#_$"} | {
        "^ . #", "sending . $",
    }  # fmt: skip


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


def test_a_likelihood_has_bounds() -> None:
    assert shipped_wishes().likelihood([]) == NOTHING
    assert all(LOWEST <= shipped_wishes().likelihood([one]) <= HIGHEST for one in ("!!!", "x" * 600, "Please send it to us."))
