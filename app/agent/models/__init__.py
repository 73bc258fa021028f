"""Language models through litellm, behind one gateway. litellm itself is imported with the first call."""

from app.agent.models.door import close_door
from app.agent.models.gateway import LiteLlmGateway
from app.agent.models.probe import test_model
from app.agent.models.target import Target

__all__ = ["LiteLlmGateway", "Target", "close_door", "test_model"]
