"""The static analysis: from a repository's history to identified ETIPs, with what was left out."""
