"""Errors of the stack, shown to the user as a sentence, never as a traceback."""


class StackError(Exception):
    """A problem that the user can understand and fix."""


class StopRequested(Exception):
    """A stop was requested while the stack was starting."""
