"""Links between memories and what superseded them, while some are out of use."""
