"""From a row of the index to a full record: base, diff and texts, each from where it is."""
