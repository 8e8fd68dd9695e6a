"""``python -m jeto_mine``."""

from __future__ import annotations

from jeto_mine.cli.main import main

if __name__ == "__main__":
    main()
