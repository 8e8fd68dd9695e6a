"""From an identified record to an executable one: what a real project needs to run."""
