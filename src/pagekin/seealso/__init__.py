"""Lists of related pages in the pages of a built web site: `pagekin see-also`."""
