"""The index of block co-citation (paper 3): `index` makes and reads it, with the relational `steps`, from `tables`."""
