"""From the chances that the reader gives the parts of a message to spans that are worth remembering."""
