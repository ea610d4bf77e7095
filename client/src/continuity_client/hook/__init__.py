"""The hooks of coding agents: each event is stored in the spool, and a detached sender delivers it."""
