"""Run a command: errors are sentences with the next step, never tracebacks."""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Sequence
from typing import Any

from continuity_client.cli.parser import parser
from continuity_client.home import LOG_FILE, home, write_log
from continuity_client.http import ServerError
from continuity_client.terminal import RED, CommandError, complain, has_colors

FAILED, INTERRUPTED = 1, 130


def main(arguments: Sequence[str]) -> int:
    """Run a command line and return the exit code."""
    options = parser().parse_args(list(arguments))
    try:
        code = options.action(options)
    except (CommandError, ServerError) as error:
        _report(error, options.json)
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader, such as `head`, has seen enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        _report(CommandError(f"{error.strerror or error}: {error.filename or 'a file'}"), options.json)
        return FAILED
    except Exception as error:  # people get a sentence; the log has the rest
        write_log(home(), traceback.format_exc())
        _report(
            CommandError(f"Unexpected {type(error).__name__}; details are in {os.path.join(home(), LOG_FILE)}."), False
        )
        return FAILED
    return int(code or 0)


def _report(error: Exception, as_json: bool) -> None:
    if as_json:
        known: dict[str, Any] = {"error": str(error)}
        if isinstance(error, ServerError):
            known.update(status=error.status, code=error.code)
        print(json.dumps(known), file=sys.stderr)
        return
    label = "\x1b[31mError\x1b[0m" if has_colors(sys.stderr) and RED else "Error"
    complain(f"{label}: {error}")
    errors = error.problem.get("errors", ()) if isinstance(error, ServerError) else ()
    for one in errors:
        if str(one.get("detail", "")) not in str(error):
            complain(f"  {one.get('pointer', '')}: {one.get('detail', '')}")
