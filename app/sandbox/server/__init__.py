"""HTTP: command line, ASGI application, dispatch of requests and batches, uploads."""
