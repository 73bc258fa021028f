"""How judgement without a language model does on mail nobody tuned to.

    python3 packaging/dev.py bench judgement [--half held] [--box DIR ...] [--wrong] [--json]

The figures are of the held half of `tests/data/judgement`; with `--box` those of real mailboxes, of which the first half is
learned and the second judged. Times are processor time, without the embedding.
"""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from app.evals.judgement import main  # noqa: E402

if __name__ == "__main__":
    os.chdir(ROOT)
    sys.exit(main(sys.argv[1:]))
