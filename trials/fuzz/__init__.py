"""Inputs that nobody would write: what must hold for every reader, whatever it is given (`make fuzz`)."""
