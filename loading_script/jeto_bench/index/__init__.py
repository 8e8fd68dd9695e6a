"""Facts of ETIPs and of what was measured of them: rows, their lists as one, the paper's list."""
