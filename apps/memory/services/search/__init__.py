"""Search with intent: what a query asks for, by a model or by rules, and the search in the tree for it."""
