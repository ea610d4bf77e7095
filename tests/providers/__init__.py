"""Fake providers for tests: HTTP servers on a loopback port with the real protocols and scripted failures."""
