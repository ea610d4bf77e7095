"""One turn from message to reply: the only app that joins the others."""
