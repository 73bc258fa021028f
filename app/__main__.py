"""`python -m app`: runs the command line."""

import sys

from app.main import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
