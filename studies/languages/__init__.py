"""Study of memories in other languages than English."""
