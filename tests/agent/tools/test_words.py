"""Every reason for a refusal has words for the model."""

from app.agent.tools.words import SENTENCES, denial_words
from app.domain.policy import Why


def test_reasons_of_trouble_have_sentences() -> None:
    told = {one for one in Why if one.value.startswith(("net_", "sends_")) and one is not Why.NET_WITHIN_RULES}
    assert told | {
        Why.PAUSED,
        Why.NOT_LISTED,
        Why.ITERATIONS_SPENT,
        Why.TOKENS_SPENT,
        Why.BAD_RECIPIENT,
        Why.NOT_AN_ARTIFACT,
    } == set(SENTENCES)


def test_words_name_the_tool_and_never_more_of_it_than_fits() -> None:
    assert denial_words(Why.NOT_LISTED, "x" * 500, "") == f"There is no tool {'x' * 60}. The tools are: none."
    assert denial_words(Why.EFFECT_ASKS, "t", "") == "The call of t was refused: effect_asks."
