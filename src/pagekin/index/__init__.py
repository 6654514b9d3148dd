"""What `build` makes, one file or folder each; importing it enters them all in the registry (`base`)."""
