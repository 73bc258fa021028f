"""The mail graph: LangGraph and language models, nothing that leaves the machine but model calls.

Settles the libraries' environment before their first import anywhere below: a user's tracing variables must not leak mail,
checkpoints may only be read back as plain types, and ONNX Runtime, which reports to its makers by itself, is told not to.
"""

import os

FORCED_ENVIRONMENT = {
    "LANGCHAIN_TRACING": "false",
    "LANGCHAIN_TRACING_V2": "false",
    "LANGSMITH_TRACING": "false",
    "LANGSMITH_TRACING_V2": "false",
    "LANGGRAPH_STRICT_MSGPACK": "true",
    "ORT_DISABLE_TELEMETRY": "1",
}

os.environ.update(FORCED_ENVIRONMENT)
