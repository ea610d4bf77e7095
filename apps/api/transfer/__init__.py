"""Endpoints for imports and the export."""
