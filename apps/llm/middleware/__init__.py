"""Decorators around a provider: retry, circuit breaker, metering, reservation."""
