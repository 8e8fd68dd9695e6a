"""Whether a dataset is what it claims to be: schema, ids, copies, hashes, patches."""
