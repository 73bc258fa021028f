"""The tool registry, which every call of an agent passes, and the tools themselves, each with a real backend or absent."""
