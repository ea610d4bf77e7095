"""The one error of the stack: a sentence for the person at the terminal, never a traceback."""


class StackError(Exception):
    """Something the person who started the stack can understand and change."""


class StopRequested(Exception):
    """Somebody asked the stack to stop while it was still starting."""
