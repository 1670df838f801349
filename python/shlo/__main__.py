"""``python -m shlo`` and the script ``shlo-compat`` run the command line of the tool."""

from __future__ import annotations

import signal
import sys

from . import _core


def main() -> None:
    """Runs the command line in this process, and ends it with its exit code."""
    # Python ignores SIGPIPE and turns SIGINT into an exception; the tool does neither.
    for name in ("SIGPIPE", "SIGINT"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    sys.stdout.flush()
    name = "shlo-compat"
    invoked = sys.argv[0].replace("\\", "/").rsplit("/", 1)[-1]
    if invoked in ("stablehlo-opt", "stablehlo-translate"):
        name = invoked
    sys.exit(_core.run_command([name, *sys.argv[1:]]))


if __name__ == "__main__":
    main()
