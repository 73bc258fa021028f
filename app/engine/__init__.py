"""The engine process: syncs mail, runs agents, stores and sends."""
