"""No text costs more than linear time: every pattern, every function on text, and what the server does with both."""
