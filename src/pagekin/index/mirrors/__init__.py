"""Pages that are copies of each other, found in one place: by their text alone (`by_text`, what `block` folds), or by
their links first and then their text (`by_links`, what the similarity graph folds)."""
