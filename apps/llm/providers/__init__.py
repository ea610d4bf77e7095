"""Everyone who may answer, behind one interface. The real one and the one that needs no network are siblings."""
