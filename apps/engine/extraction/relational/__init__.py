"""Traits of how a person likes to work with an assistant, read from what they write about its replies."""
