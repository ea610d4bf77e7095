"""Prices, and the rules of a workspace's daily budget."""
