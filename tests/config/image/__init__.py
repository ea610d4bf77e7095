"""Builds and runs the container image without a container engine: `make image-check`.

The Dockerfile's instructions are carried out in a clean root folder, and docker-compose.yml's services run in it as the
engine would run them, as far as possible without an engine. The quick tests parse both files, too.
"""
