"""Typed events, published after the commit."""
