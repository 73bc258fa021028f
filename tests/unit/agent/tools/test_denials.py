"""Every reason for a refusal has words for the model."""

from app.agent.tools.registry import SENTENCES, denial_words
from app.domain.policy.policy import PolicyReason


def test_reasons_of_trouble_have_sentences() -> None:
    told = {one for one in PolicyReason if one.value.startswith(("net_", "sends_")) and one is not PolicyReason.NET_WITHIN_RULES}
    assert told | {
        PolicyReason.PAUSED,
        PolicyReason.NOT_LISTED,
        PolicyReason.ITERATIONS_SPENT,
        PolicyReason.TOKENS_SPENT,
        PolicyReason.BAD_RECIPIENT,
        PolicyReason.NOT_AN_ARTIFACT,
    } == set(SENTENCES)


def test_words_name_the_tool_and_never_more_of_it_than_fits() -> None:
    assert denial_words(PolicyReason.NOT_LISTED, "x" * 500, "") == f"There is no tool {'x' * 60}. The tools are: none."
    assert denial_words(PolicyReason.EFFECT_ASKS, "t", "") == "The call of t was refused: effect_asks."
