"""The one place that imports litellm: seconds of work and 180 MB, so only when a model is configured, and off the event loop.

Settles it first: no price list from the network, no telemetry, no messages in logs, no retries of its own.
"""

import os
import sys
from dataclasses import dataclass
from types import ModuleType
from typing import Any

FORCED_ENVIRONMENT = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "LITELLM_TELEMETRY": "False",
    "DISABLE_AIOHTTP_TRANSPORT": "True",
}


@dataclass(frozen=True, slots=True)
class Door:
    """litellm, settled, and the class of all its errors."""

    litellm: ModuleType
    trouble: type[Exception]

    def cost_usd(self, response: Any) -> float:
        """The price of a response; 0 where litellm does not know the model."""
        hidden = getattr(response, "_hidden_params", None) or {}
        return float(hidden.get("response_cost") or 0.0)


def open_door() -> Door:
    """Import and settle litellm. Slow the first time: call it in a thread."""
    os.environ.update(FORCED_ENVIRONMENT)
    import litellm
    import openai

    litellm.telemetry = False
    litellm.suppress_debug_info = True
    litellm.drop_params = True
    litellm.num_retries = 0
    litellm.disable_aiohttp_transport = True
    litellm.turn_off_message_logging = True
    return Door(litellm, openai.OpenAIError)


async def close_door() -> None:
    """Close the connections that litellm keeps; nothing where it was never opened."""
    if "litellm" in sys.modules:
        await open_door().litellm.close_litellm_async_clients()
