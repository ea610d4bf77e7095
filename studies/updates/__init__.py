"""Study of facts that change: generated histories, and pairs of messages by writers."""
