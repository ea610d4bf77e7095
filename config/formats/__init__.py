"""Date formats of pages that Django renders."""
