"""Link arrays, and what is computed on them alone: no titles, no files, no settings of anybody."""
