"""What models took, and how a workspace stands with its limits."""
