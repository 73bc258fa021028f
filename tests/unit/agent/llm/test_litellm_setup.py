"""List prices from litellm's own file: known, free on this machine, or plainly unknown."""

import pytest

from app.agent.llm.litellm_setup import COMPLETION_TOKENS, PROMPT_TOKENS, usd_per_mail
from app.agent.llm.target import ModelTarget


def test_a_known_model_costs_its_tokens() -> None:
    price = usd_per_mail(ModelTarget("gemini/gemini-2.5-pro"))
    assert price is not None
    assert price == pytest.approx(PROMPT_TOKENS * 1.25e-06 + COMPLETION_TOKENS * 1e-05)


@pytest.mark.parametrize(
    "target",
    [
        ModelTarget("ollama/llama3.2"),
        ModelTarget("openai/scripted", "http://127.0.0.1:1234/v1"),
        ModelTarget("openai/x", "http://localhost:1/v1"),
    ],
)
def test_a_model_on_this_machine_costs_nothing(target: ModelTarget) -> None:
    assert usd_per_mail(target) == 0.0


@pytest.mark.parametrize("model", ["openai/nobody-knows-this", "somebody/else", "nonsense"])
def test_an_unknown_model_has_no_price(model: str) -> None:
    assert usd_per_mail(ModelTarget(model, "https://models.example/v1")) is None
