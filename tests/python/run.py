"""Runs the tests of the Python package on the package in a build.

    run.py BUILD [pytest's arguments]

BUILD has the package (python/), the tool and write_containers (bin/). The Python that it was built for has pytest; if the
build has no package, because PyPI was not reachable when it was configured, the tests are skipped (exit code 77).
"""

import os
import pathlib
import re
import subprocess
import sys

SKIPPED = 77


def main():
    build, arguments = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
    cache = (build / "CMakeCache.txt").read_text()
    python = re.search(r"^_?Python_EXECUTABLE:\w+=(.+)$", cache, re.M)
    if not re.search(r"^SHLO_PYTHON:BOOL=(ON|1|TRUE)$", cache, re.M) or not python:
        print("skipped: the build has no Python package; './dev test' installs what it needs from PyPI")
        return SKIPPED
    environment = {
        **os.environ,
        "PYTHONPATH": str(build / "python"),
        "SHLO_TOOL": str(build / "bin" / "shlo-compat"),
        "SHLO_WRITE_CONTAINERS": str(build / "bin" / "write_containers"),
        "SHLO_MYPY_CACHE": str(build / "mypy"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    tests = pathlib.Path(__file__).resolve().parent
    command = [python[1], "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "faulthandler_timeout=120"]
    return subprocess.run([*command, *arguments], cwd=tests, env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
