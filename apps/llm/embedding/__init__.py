"""Vectors of texts, near each other where the texts mean alike: made here without a network, or by a provider."""
