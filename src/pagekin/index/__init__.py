"""What `build` makes, one file or folder each. A method or a search that needs an index imports it, and so enters it in
the registry (`base`)."""
