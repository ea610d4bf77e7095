"""Storage of items from other stores: idempotent by their keys, each with a result of its own."""
