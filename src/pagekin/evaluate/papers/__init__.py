"""The papers' own tables and figures: `tables` is their list."""
