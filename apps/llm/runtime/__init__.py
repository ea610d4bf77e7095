"""Execution of asynchronous calls from synchronous code."""
