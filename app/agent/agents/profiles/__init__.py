"""Agent profiles: agents that the owner defines by instructions, tools and a model."""
