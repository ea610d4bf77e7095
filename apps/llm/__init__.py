"""The only room that talks to models; until one is configured, the engine's offline parts stand in."""
