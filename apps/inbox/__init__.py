"""The inbox: memories that wait for a person's decision, possible contradictions, and sources out of use."""
