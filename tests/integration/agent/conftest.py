"""A real store with one account, a scripted model, the embedder and the trained triage."""

from fakes.models.fixtures import embedder, model, room, triage

__all__ = ["embedder", "model", "room", "triage"]
