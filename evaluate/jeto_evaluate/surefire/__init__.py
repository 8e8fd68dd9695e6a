"""Reading Surefire's XML reports: bytes in, per-class results out; no input or output here."""
