"""Which repositories are mined: found by criteria, or named; and why others are not."""
