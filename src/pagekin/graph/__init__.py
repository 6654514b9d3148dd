"""Link arrays, and what is computed from them alone, without titles, files or settings."""
