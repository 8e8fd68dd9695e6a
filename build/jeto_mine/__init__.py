"""JETO-Mine: from repositories to executable records."""
