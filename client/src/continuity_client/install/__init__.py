"""The hooks in the settings of coding agents: what is written, and how it is taken out again."""
