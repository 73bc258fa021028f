"""What a mail costs with a model, by the price list that comes with litellm. No network; refuses to guess a price."""

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
    prices = open_door().litellm.model_cost
    known = prices.get(target.model)
    if known is None:
        by_name = prices.get(target.model.partition("/")[2]) or {}
        known = by_name if by_name.get("litellm_provider") == target.provider else {}
    asked, said = known.get("input_cost_per_token"), known.get("output_cost_per_token")
    if not asked and not said:
        return None
    return PROMPT_TOKENS * float(asked or 0.0) + COMPLETION_TOKENS * float(said or 0.0)
