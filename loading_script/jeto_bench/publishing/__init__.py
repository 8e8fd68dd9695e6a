"""A dataset for others: its folder, the Hub, and the rows that agents made for SWE-bench read."""
