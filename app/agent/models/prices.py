"""What a mail costs with a model, by the price list that comes with litellm. No network; refuses to guess a price."""

from collections.abc import Mapping
from typing import Any

from app.agent.models.door import open_door
from app.agent.models.target import Target

PROMPT_TOKENS = 1800
COMPLETION_TOKENS = 400
"""Of one mail that is judged and answered: prompts as the pipeline makes them with usual mails, answers as models give them."""


def usd_per_mail(target: Target) -> float | None:
    """US dollars, 0 for a model on the user's own machine, None where the list does not know the model. Imports litellm, seconds
    of work: call it off the loop."""
    if target.keyless:
        return 0.0
    return usd_of(open_door().litellm.model_cost, target, PROMPT_TOKENS, COMPLETION_TOKENS)


def usd_of(prices: Mapping[str, Any], target: Target, asked: int, said: int) -> float | None:
    """What so many tokens of prompt and answer cost by a list, None where the list does not know the model."""
    known = prices.get(target.model)
    if known is None:
        by_name = prices.get(target.model.partition("/")[2]) or {}
        known = by_name if by_name.get("litellm_provider") == target.provider else {}
    each, every = known.get("input_cost_per_token"), known.get("output_cost_per_token")
    if not each and not every:
        return None
    return asked * float(each or 0.0) + said * float(every or 0.0)
