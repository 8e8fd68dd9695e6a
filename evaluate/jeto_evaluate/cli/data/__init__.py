"""``jeto-bench data``: the dataset itself, one module per command."""
