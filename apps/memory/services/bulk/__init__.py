"""Many memories at once: bulk create, import, export."""
