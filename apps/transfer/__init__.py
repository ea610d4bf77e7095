"""Imports from files and other programs, our own export, and its restoration."""
