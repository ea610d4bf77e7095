"""The rolling summary: building it without a model, merging, checking and rendering it."""
