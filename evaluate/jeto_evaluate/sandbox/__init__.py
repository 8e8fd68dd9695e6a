"""Where an arm lives: one container per arm, behind a protocol."""
