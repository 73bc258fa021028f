"""A real store with one account, a scripted model, the embedder and the trained triage."""

from fakes.engine.store.fixtures import room
from fakes.models.fixtures import embedder, model, triage

__all__ = ["embedder", "model", "room", "triage"]
