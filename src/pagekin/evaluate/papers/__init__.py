"""The tables and figures of the papers; `tables` lists them."""
