"""The web app: its document and its static files."""
