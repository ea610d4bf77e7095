"""Files of other tools that people upload: stored within limits, recognized, and read by the client's readers."""
