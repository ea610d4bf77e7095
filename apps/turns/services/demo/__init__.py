"""The demo workspace, and the sample conversation of new workspaces."""
