"""The abstract and overview of each memory: extracted at once, improved by a model later."""
