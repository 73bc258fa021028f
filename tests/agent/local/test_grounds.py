"""What weighed most is what makes a difference when it is left out."""

from itertools import islice, permutations

import numpy as np

from app.agent.local.grounds import LOOKED_AT, MOST_WORDS, heaviest_example, telling_words
from app.agent.local.ridge import fit
from app.domain.reasons import Because, Ground


def weighing(**weights: float) -> list[Because]:
    """The ground where each word adds its weight."""

    def sureness(text: str) -> float:
        return sum(weights.get(one, 0.0) for one in text.lower().replace("á", "a").split())

    return [telling_words("Odstávka of the water and again water on Monday 2026", sureness)]


def test_the_words_that_count_most_come_first_as_they_were_written() -> None:
    assert weighing(water=0.1, odstavka=0.3, monday=0.05, again=0.01) == [Because(Ground.WORDS, ("odstávka", "water", "monday"))]
    assert MOST_WORDS == 3


def test_short_words_numbers_and_what_makes_no_difference_are_not_named() -> None:
    assert weighing(the=0.5, **{"2026": 0.4}, water=0.0001) == [Because(Ground.WHOLE)]
    assert weighing(water=-0.3) == [Because(Ground.WHOLE)]


def test_a_long_mail_is_looked_at_from_its_beginning() -> None:
    asked: list[str] = []

    def sureness(text: str) -> float:
        asked.append(text)
        return 0.0

    many = " ".join("".join(letters) for letters in islice(permutations("abcdef"), 500))
    telling_words(many, sureness)
    assert len(asked) == LOOKED_AT + 1


def test_the_example_that_adds_most_is_found() -> None:
    rows = np.eye(4)
    ridge = fit(rows, np.asarray([0, 1, 0, 1]), 2, np.ones(4), 0.5)
    assert heaviest_example(ridge, np.asarray([0.1, 0.0, 0.9, 0.0]), [0]) == 2
    assert heaviest_example(ridge, np.asarray([0.1, 0.8, 0.7, 0.0]), [1]) == 1
