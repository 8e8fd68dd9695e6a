"""Is an issue about execution time? Several ways to ask, one answer."""
