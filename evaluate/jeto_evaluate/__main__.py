"""``python -m jeto_evaluate`` is ``jeto-bench eval``."""

from __future__ import annotations

import sys

from jeto_evaluate.cli.main import main

if __name__ == "__main__":
    sys.argv = ["jeto-bench", "eval", *sys.argv[1:]]
    main()
