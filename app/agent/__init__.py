"""The mail graph, its agents, triage, drafting and language models.

Sets environment variables before LangChain, LangGraph or ONNX Runtime are imported: tracing must not leak mail, checkpoints are
only read back as plain types, and ONNX Runtime must not send telemetry.
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
