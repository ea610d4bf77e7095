"""Running asynchronous calls from synchronous code."""
