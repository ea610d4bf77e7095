"""The export of all that belongs to a person, and how its items name each other."""
