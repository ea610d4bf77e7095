"""Conversations over HTTP: their messages, who may read them, their summaries and compactions, their packs."""
