"""`python -m app.sandbox` starts the server."""

import sys

from app.sandbox.server.server import serve

if __name__ == "__main__":
    sys.exit(serve(sys.argv[1:]))
