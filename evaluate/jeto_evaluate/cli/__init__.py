"""The command line: each module a command, assembled in ``main``."""
