"""`python -m app`: the program's command."""

import sys

from app.main import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
