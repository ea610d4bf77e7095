"""The terms by which texts and queries are compared: one analysis for both, whatever the script."""
