"""Do people find that an executable ETIP is one? Labels, how far they agree, what follows."""
