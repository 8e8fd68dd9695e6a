"""Which rows are of use, and what was measured to say so."""
