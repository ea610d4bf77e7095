"""What happened, as one typed dataclass each, told after the commit."""
