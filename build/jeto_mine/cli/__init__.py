"""The command line ``jeto-mine``: one module per group of commands."""
