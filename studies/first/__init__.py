"""The first sentences of scripted newcomers, and what the product makes of them."""
