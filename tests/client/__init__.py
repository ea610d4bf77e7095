"""Tests of the package continuity-client. They need no Django."""
