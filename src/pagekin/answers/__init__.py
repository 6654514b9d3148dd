"""The public `Collection` with every verb, and the typed answers that it gives."""
