"""How fast pagekin is, beside its peers: one file a question, asked of both sides in one run. See `bench/README.md`."""
