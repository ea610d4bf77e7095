"""Which models a workspace uses: what was chosen, what was found, and its own keys."""
