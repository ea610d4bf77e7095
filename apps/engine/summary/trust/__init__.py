"""Trust in the lines of a summary: orders to the model, and what only an assistant or a tool said."""
