"""The indexes that `build` makes, one file or folder each. A method or a search imports the index that it needs, which
enters it in the registry (`base`)."""
