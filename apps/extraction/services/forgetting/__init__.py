"""Requests to forget in messages: finding the memories that are meant, and archiving them."""
