"""Clones that a user has or wants: finding, making and reading them, running nothing of theirs."""
