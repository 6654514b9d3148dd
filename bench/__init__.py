"""How fast pagekin is next to its peers: one file per question, put to both sides in one run. See bench/README.md."""
