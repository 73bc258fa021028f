"""The agents: pipeline, responder, profiles, assistant, gmail."""
