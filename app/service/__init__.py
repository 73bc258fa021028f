"""The Gmail agent as a service over HTTP: LangGraph Server's calls as `RemoteGraph` makes them, and LangServe's `invoke`.

Who has the token may use the mailbox's search and the model's budget; nobody can send through it.
"""
