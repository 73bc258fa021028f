"""The tool registry, its tools' policy checks, MCP servers and the web backends. A tool without a backend is not registered."""
