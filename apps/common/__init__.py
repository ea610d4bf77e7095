"""Foundations of all apps: tenancy, ids, errors, abstract tables."""
