"""Presence, forecasts and the warm-up of bundles."""
