"""Short texts are looked at once while they are remembered, long ones each time."""

from app.domain.mail.text_cache import LONGEST, remembered


def test_short_texts_are_looked_at_once_and_long_ones_each_time() -> None:
    seen: list[int] = []

    @remembered(2)
    def length(text: str) -> int:
        """How long it is."""
        seen.append(len(text))
        return len(text)

    assert [length("a"), length("bb"), length("a")] == [1, 2, 1]
    assert seen == [1, 2]
    longest, longer = "c" * LONGEST, "d" * (LONGEST + 1)
    assert [length(one) for one in (longest, longest, longer, longer)] == [len(longest)] * 2 + [len(longer)] * 2
    assert seen[2:] == [len(longest), len(longer), len(longer)]
    assert length("bb") == 2
    assert seen[5:] == [2]  # only two are remembered
    assert length.__name__ == "length"
