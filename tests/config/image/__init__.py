"""Builds and runs the container image without a container engine: `make image-check`.

The Dockerfile's instructions are carried out in a clean root folder, and docker-compose.yml's services run in it as the
engine would run them, as far as a kernel without an engine goes. Reading both files is also what the quick tests need.
"""
