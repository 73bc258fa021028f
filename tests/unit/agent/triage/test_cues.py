"""Cue words in both languages."""

import pytest

from app.agent.triage.cues import CUES, Cue, count_cues


@pytest.mark.parametrize(
    ("text", "cue"),
    [
        ("Could we reschedule our appointment?", Cue.MEETING),
        ("Můžeme přesunout schůzku?", Cue.MEETING),
        ("The jug arrived damaged, I want a refund", Cue.COMPLAINT),
        ("Chci to reklamovat, je to vadné", Cue.COMPLAINT),
        ("Just checking in, any news?", Cue.FOLLOW_UP),
        ("Ich bin im Urlaub, Abwesenheitsnotiz", Cue.AUTO_REPLY),
        ("Verify your password", Cue.CREDENTIAL),
        ("Ověřte své heslo", Cue.CREDENTIAL),
        ("You won the lottery", Cue.MONEY_LURE),
        ("Unsubscribe from this newsletter", Cue.PROMOTION),
    ],
)
def test_cues_are_seen(text: str, cue: Cue) -> None:
    assert count_cues(text)[cue] >= 1


def test_plain_text_has_none() -> None:
    assert set(count_cues("The heron stood by the pond.").values()) == {0}


def test_every_group_has_a_pattern_and_a_stem_counts_once() -> None:
    assert set(CUES) == set(Cue)
    assert count_cues("refund refund refund")[Cue.COMPLAINT] == 1


def test_cues_match_whole_words() -> None:
    counted = count_cues("The investigation in Seoul was fundamental for the millionth investor of the seasonal sale-room.")
    assert not [cue for cue, count in counted.items() if count]
