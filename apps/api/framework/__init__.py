"""Shared parts of all endpoints: authentication, parsing, problem details, pagination, throttling."""
