"""Mirrors, pages that are copies of each other: found by their text alone (`by_text`, for `block`), or by their links
first and then their text (`by_links`, for the similarity graph)."""
