"""Secrets in text: found before it goes to a model, and before anything is derived from it or stored as a memory.

The rules are the client's (`continuity_client.secrets`), so that both find the same; the library detect-secrets is
consulted too.
"""
