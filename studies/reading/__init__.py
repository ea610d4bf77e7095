"""A reader of what people say: its material, how it is trained, and how well it reads writers that it does not know."""
