"""Instance images: how they are built, proved, moved, checked and removed."""
