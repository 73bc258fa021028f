"""The Gmail agent as an HTTP service: LangGraph Server's API as `RemoteGraph` uses it, and LangServe's `invoke`.

The token gives access to the mailbox's search and the model's budget. Nothing can be sent through the service.
"""
