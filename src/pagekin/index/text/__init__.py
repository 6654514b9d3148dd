"""Text as vectors: sparse (tf-idf), dense (a truncated SVD), and smoothed over links. `index` is what `build` makes."""
