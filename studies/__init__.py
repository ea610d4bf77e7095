"""Measurements of the engine on synthetic and recorded conversations; they print tables and do not pass or fail."""
