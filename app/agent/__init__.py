"""The mail graph: LangGraph and language models, nothing that leaves the machine but model calls.

Settles LangGraph's environment before its first import anywhere below: a user's tracing variables must not leak mail, and
checkpoints may only be read back as plain types.
"""

import os

FORCED_ENVIRONMENT = {
    "LANGCHAIN_TRACING": "false",
    "LANGCHAIN_TRACING_V2": "false",
    "LANGSMITH_TRACING": "false",
    "LANGSMITH_TRACING_V2": "false",
    "LANGGRAPH_STRICT_MSGPACK": "true",
}

os.environ.update(FORCED_ENVIRONMENT)
