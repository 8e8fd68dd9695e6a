"""From predictions to reports: arms, rounds, instances and the run around them."""
