"""The index of block co-citation (paper 3): `index` makes and reads it, by the relational `steps`, from `tables`."""
