"""The theory of Continuity: pure functions over plain data, standard library only."""
