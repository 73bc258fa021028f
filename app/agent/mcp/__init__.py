"""Tools of MCP servers: started with the owner's consent, pinned, restarted when they crash. Their words are a stranger's."""
