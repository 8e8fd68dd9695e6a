"""The harness: predictions in, measured and judged instances out."""
