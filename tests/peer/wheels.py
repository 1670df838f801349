"""Released jaxlibs as consumers: each wheel of PyPI embeds the deserializers of one StableHLO release."""
import functools
import glob
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

READERS = pathlib.Path(__file__).with_name("wheel_readers.py")
COMPILER = pathlib.Path(__file__).with_name("wheel_compiler.py")
TABLE = pathlib.Path(__file__).resolve().parents[2] / "schema" / "consumers.inc"


def numbers(version):
    return tuple(int(part) for part in version.split("."))


def known():
    """{version: (release, {reader: dialects}, what it cannot compile)} of the jaxlibs in schema/consumers.inc, oldest first."""
    text = TABLE.read_text()
    of_jax = re.search(r"#define SHLO_DIALECTS_OF_JAX\s+((?:.*\\\n)*.*)", text)[1]
    found = {}
    row = re.compile(r'^SHLO_CONSUMER\("jaxlib", "([^"]+)", "([^"]+)", (.*), "([^"]*)"\)$', re.M)
    for version, release, cell, uncompiled in row.findall(text):
        words = " ".join(re.findall(r'"([^"]*)"', cell.replace("SHLO_DIALECTS_OF_JAX", of_jax))).split()
        readers = {r: {w.partition("@")[0] for w in words if w.partition("@")[2] in ("", r)} for r in ("stablehlo", "jax.export")}
        found[version] = release, readers, set(uncompiled.split())
    return found


@functools.lru_cache(None)
def pythons():
    """{(3, minor): interpreter}"""
    candidates = [sys.executable, *(shutil.which(f"python3.{minor}") for minor in range(9, 15))]
    candidates += sorted(glob.glob(os.path.join(os.environ.get("PYENV_ROOT", os.path.expanduser("~/.pyenv")), "versions", "3.*", "bin", "python3")))
    found = {}
    for python in filter(None, candidates):
        done = subprocess.run([python, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"], capture_output=True, text=True)
        if done.returncode == 0:  # a shim of pyenv may have no interpreter
            found.setdefault(numbers(done.stdout.strip()), python)
    return found


def install(python, folder, *packages):
    """Installs as a whole or not at all; returns what went wrong, or ""."""
    part = f"{folder}.part"
    shutil.rmtree(part, ignore_errors=True)
    done = subprocess.run([python, "-m", "pip", "install", "-q", "--no-deps", "--only-binary", ":all:", "--no-cache-dir",
                           "--disable-pip-version-check", "--target", part, *packages], capture_output=True, text=True)
    if done.returncode == 0:
        os.rename(part, folder)
        return ""
    shutil.rmtree(part, ignore_errors=True)
    return (done.stderr.strip().splitlines() or [f"pip ended with {done.returncode}"])[-1]


class Wheel:
    """A jaxlib in the cache, installed if it is not there. `problem` says why it cannot be used, or is ""."""

    def __init__(self, cache, jaxlib):
        self.jaxlib, folder, self.problem = jaxlib, os.path.abspath(f"{cache}/{jaxlib}"), ""
        os.makedirs(cache, exist_ok=True)
        if not os.path.isdir(folder):
            for python in pythons().values():
                self.problem = install(python, folder, f"jaxlib=={jaxlib}")
                if not self.problem:
                    break
        tags = "".join(open(path).read() for path in glob.glob(f"{folder}/jaxlib-*.dist-info/WHEEL"))
        minor = re.search(r"^Tag: cp3(\d+)-", tags, re.M)
        if self.problem or not minor or (3, int(minor[1])) not in pythons():
            self.problem = self.problem or "no Python for the wheel in the cache"
            return
        self.python = pythons()[3, int(minor[1])]
        old = numbers(jaxlib) < (0, 4, 31)
        beside = os.path.abspath(f"{cache}/numpy{1 if old else 2}-py3{minor[1]}")
        if not os.path.isdir(beside):
            self.problem = install(self.python, beside, *(["numpy<2", "ml_dtypes<0.4"] if old else ["numpy>=2", "ml_dtypes>=0.5"]))
        self.env = {**os.environ, "PYTHONPATH": f"{folder}:{beside}", "JAX_PLATFORMS": "cpu", "OPENBLAS_NUM_THREADS": "1"}

    def read(self, paths):
        """{path: {reader: what it said, "" if it read the file}}"""
        return self.run(READERS, paths)

    def compile(self, paths):
        """{path: what it said, "" if it compiles the file}"""
        return self.run(COMPILER, paths)

    def run(self, script, paths):
        if not paths:
            return {}
        done = subprocess.run([self.python, script], input=json.dumps(list(map(str, paths))), env=self.env, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"jaxlib {self.jaxlib}: {done.stderr[-600:]}")
        return json.loads(done.stdout.splitlines()[-1])
