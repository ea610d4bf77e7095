"""End-to-end tests in a real browser on a whole stack."""
