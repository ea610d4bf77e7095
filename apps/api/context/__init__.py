"""Context packs, budget negotiation and agent-loop trimming over HTTP."""
