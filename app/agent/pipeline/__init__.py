"""The seven nodes of the reply pipeline: classify, retrieve, decide, execute_tools, generate, review, dispatch."""
