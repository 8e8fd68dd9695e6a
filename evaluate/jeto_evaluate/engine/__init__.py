"""The container engine: where it is, what it can do, and containers that never outlive a run."""
