"""A message as the engine sees it, and what it costs and looks like in a pack."""
