"""What is remembered, over HTTP: the pins of a conversation and what people wrote about themselves."""
