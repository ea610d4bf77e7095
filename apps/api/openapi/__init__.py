"""The OpenAPI schema and its pages."""
