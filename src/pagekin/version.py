"""The version number; the package, the shell and the crawler's user agent read it from here."""

VERSION = "0.2.0"
