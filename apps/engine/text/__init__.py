"""Text on its way in and out: one normal form for what is stored, one quoting for what a model reads."""
