"""Writing memories."""
