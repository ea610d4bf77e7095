"""The reader: how likely each part of a message is worth remembering, and what it says, as chances."""
