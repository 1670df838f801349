#!/usr/bin/env python3
"""Runs the commands of the README in other systems: Debian 12 and 13, made by debootstrap in throw-away folders.

    matrix.py [--system S] [--compiler C] [--cell NAME] [--list] [--bases DIR] [--record] [--keep]

A cell is one command on one system with one compiler, from a fresh clone of HEAD and with no environment but HOME and
PATH (and CC and CXX, if the compiler is not the system's own). Each cell prints one line and has a log in build/matrix/logs; a
cell with a compiler warning fails, too. Each flag may be given several times. The exit code is 1 if a cell fails.

  run       ./dev run, as root: packages are installed as it goes
  test      ./dev test in the same clone
  consumer  cmake --install in the same clone, then a project with find_package(shlo)
  pip       pip install . in a virtual environment, and a script that uses the package
  user      ./dev run of an ordinary user without sudo, with the packages of docs/build.md
  space     ./dev run in a folder with a space in its name
  nogit     ./dev run in an exported tree, on a system without git

The base systems are kept in build/matrix/base (--bases: taken from DIR/bookworm and DIR/trixie); what cells do to them
is not. Needs root: folders are entered with chroot, in a separate mount namespace, so that nothing stays mounted.
"""
import argparse
import csv
import dataclasses
import datetime
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "matrix"
RESULTS = WORK / "results.csv"
PAGE = ROOT / "docs" / "build.md"
SYSTEMS = {"bookworm": ("Debian 12", ["g++-12", "clang-14"]), "trixie": ("Debian 13", ["g++-14", "clang-19"])}
CELLS = ["run", "test", "consumer", "pip", "user", "space", "nogit"]
# These do the same with every compiler.
ONE_COMPILER = {"user", "space", "nogit"}
# Cells that share a root folder and a clone, in this order.
SHARED = ["run", "test", "consumer"]
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
WARNING = re.compile(r"^(?!/usr/).*\bwarning: .*\[-W", re.M)

# Enters a root folder; arguments: the folder, then a command. The namespace and all its processes end with this one.
ENTER = r"""
set -e
root=$1; shift
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for name in null zero full random urandom tty; do
  : >"$root/dev/$name"
  mount --bind "/dev/$name" "$root/dev/$name"
done
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
for number in 0:stdin 1:stdout 2:stderr; do ln -s "/proc/self/fd/${number%:*}" "$root/dev/${number#*:}"; done
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
mount --bind "$ARCHIVES" "$root/var/cache/apt/archives"
exec chroot "$root" /usr/bin/env -i "$@"
"""

CONSUMER = """
cmake --preset release -D SHLO_BUILD_TESTS=OFF -D SHLO_BUILD_BENCH=OFF
cmake --build build/release
cmake --install build/release --prefix /opt/shlo
cp -r examples /consumer
cd /
cmake -G Ninja -S consumer -B consumer/build -D CMAKE_PREFIX_PATH=/opt/shlo ${CXX:+-D CMAKE_CXX_COMPILER=$CXX}
cmake --build consumer/build
ctest --test-dir consumer/build --output-on-failure
"""

PIP = """
python3 -m venv /env
/env/bin/pip install -v .
cd /
/env/bin/shlo-compat --version
/env/bin/python - <<'END'
import numpy as np
import shlo

m = shlo.loads('''
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}''')
old = m.convert("1.0.0", prove=True, allow_outside_window=True)
old.save("/model.mlirbc")
assert shlo.load("/model.mlirbc") == old
assert old.conversion.proof.equal
assert (old["main"](np.arange(4, dtype=np.float32)) == [0, -1, -2, -3]).all()
END
"""


@dataclasses.dataclass(frozen=True)
class Cell:
    system: str
    compiler: str
    name: str

    def environment(self):
        """Returns what a user sets to have this compiler: nothing if it is the system's own."""
        if self.compiler == SYSTEMS[self.system][1][0]:
            return []
        return ["CC=" + self.compiler.replace("g++", "gcc"), "CXX=" + self.compiler.replace("clang", "clang++")]

    def packages(self):
        return [self.compiler] if self.environment() else []


class Failed(Exception):
    pass


def cells(arguments):
    for system, (_, compilers) in SYSTEMS.items():
        for compiler in arguments.compiler or compilers:
            for name in CELLS:
                cell = Cell(system, compiler, name)
                if system in (arguments.system or SYSTEMS) and name in (arguments.cell or CELLS):
                    if name not in ONE_COMPILER or compiler == (arguments.compiler or compilers)[0]:
                        yield cell


def packages(*jobs):
    """Returns the packages of jobs, with their names in apt."""
    with open(ROOT / "cmake" / "packages.csv", encoding="utf-8") as file:
        return [row["apt"] for row in csv.DictReader(file) if set(row["jobs"].split()) & set(jobs)]


class Root:
    """A copy of a base system."""

    def __init__(self, system, base, log):
        self.path, self.log = WORK / "root", log
        self.archives = WORK / "archives" / system
        self.archives.joinpath("partial").mkdir(parents=True, exist_ok=True)
        remove(self.path)
        subprocess.run(["cp", "-a", base, self.path], check=True)
        self.copy_host_settings()

    def copy_host_settings(self):
        """Lets programs reach the network as they do outside."""
        for name in "resolv.conf", "hosts", "pip.conf":
            if os.path.exists("/etc/" + name):
                shutil.copy("/etc/" + name, self.path / "etc" / name)
        own = "/usr/local/share/ca-certificates"
        if os.path.isdir(own):
            shutil.copytree(own, self.path / own[1:], dirs_exist_ok=True)
        apt = shutil.which("apt-config") and subprocess.run(["apt-config", "dump"], capture_output=True, text=True, check=True).stdout
        lines = re.findall(r'^Acquire::(?:https?::|Check-|Retries|ForceIPv).* ".+";$', apt or "", re.M)
        # A root folder that is thrown away need not be on the disk.
        (self.path / "etc/dpkg/dpkg.cfg.d/90unsafe-io").write_text("force-unsafe-io\n")
        (self.path / "etc/apt/apt.conf.d/90outside").write_text("".join(line + "\n" for line in lines))

    def run(self, script, folder="/", user="root", variables=(), timeout=None):
        """Runs a script of bash. Raises Failed if it does."""
        home = "/root" if user == "root" else f"/home/{user}"
        proxies = [f"{key}={value}" for key, value in os.environ.items() if key.lower() in ("http_proxy", "https_proxy", "no_proxy")]
        inner = ["setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups"] if user != "root" else []
        command = ["setpriv", "--pdeathsig", "KILL", "unshare", "--mount", "--pid", "--fork", "--kill-child", "--propagation", "private",
                   "bash", "-c", ENTER, "enter", str(self.path), f"HOME={home}", f"PATH={PATH}", *proxies, *variables, *inner,
                   "bash", "-c", f'set -e\ncd "{folder}"\n{script}']
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT,
                              env={**os.environ, "ARCHIVES": str(self.archives)}) as process:
            try:
                code = process.wait(timeout)
            except subprocess.TimeoutExpired:
                raise Failed(f"not done after {timeout} s") from None
            finally:
                process.kill()
        if code:
            raise Failed(f"exit code {code}")

    def install(self, names):
        self.run("apt-get update -q\nDEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends " + " ".join(names))

    def clone(self, folder, user="root"):
        """Clones HEAD, or exports it if the system has no git."""
        target = self.path / "source.bundle"
        branch = git("rev-parse", "--abbrev-ref", "HEAD").strip()
        git("bundle", "create", "-q", str(target), "HEAD", *([] if branch == "HEAD" else [branch]))
        target.chmod(0o644)
        self.run(f'git -c init.defaultBranch=main clone -q /source.bundle "{folder}"', user=user)

    def export(self, folder):
        target = self.path / folder[1:]
        target.mkdir(parents=True)
        with subprocess.Popen(["git", "-C", ROOT, "archive", "HEAD"], stdout=subprocess.PIPE) as archive:
            subprocess.run(["tar", "-x", "--no-same-owner", "-C", target], stdin=archive.stdout, check=True)


def git(*words):
    return subprocess.run(["git", "-C", str(ROOT), *words], check=True, stdout=subprocess.PIPE, text=True).stdout


def remove(path):
    """Removes a root folder. Nothing is mounted in it, unless somebody else did."""
    inside = [line.split()[4] for line in pathlib.Path("/proc/self/mountinfo").read_text().splitlines()]
    if any(mount.startswith(f"{path}/") for mount in inside):
        sys.exit(f"matrix: something is mounted in {path}")
    if path.exists():
        shutil.rmtree(path)


def base_system(system, bases):
    if bases:
        return pathlib.Path(bases) / system
    path = WORK / "base" / system
    if not path.exists():
        print(f"making {system} with debootstrap", flush=True)
        partial = path.with_suffix(".partial")
        remove(partial)
        subprocess.run(["debootstrap", "--variant=minbase", system, partial, "http://deb.debian.org/debian"], check=True,
                       stdout=subprocess.DEVNULL)
        partial.rename(path)
    return path


def prepare(cell, base, log):
    """Returns the root folder of a cell, with what its user has before the first command of the README."""
    root = Root(cell.system, base, log)
    names = cell.packages()
    if cell.name != "nogit":
        names += ["git", "ca-certificates"]
    if cell.name == "pip":
        names += packages("build", "python")
    if cell.name == "user":
        names += packages("build")
        (root.path / "home/someone").mkdir()
    if names:
        root.install(names)
    if cell.name == "user":
        root.run("useradd --no-create-home someone && chown someone: /home/someone")
    return root


FOLDERS = {"user": "/home/someone/shlo-compat", "space": "/root/a folder/shlo-compat"}
SCRIPTS = {"test": "./dev test", "consumer": CONSUMER, "pip": PIP}


def run_cell(cell, root, timeout):
    """Runs the command of a cell; returns the seconds that it took."""
    folder, user = FOLDERS.get(cell.name, "/root/shlo-compat"), "someone" if cell.name == "user" else "root"
    if not (root.path / folder[1:]).exists():
        if cell.name == "nogit":
            root.export(folder)
        else:
            root.clone(folder, user)
    begin = time.monotonic()
    root.run(SCRIPTS.get(cell.name, "./dev run"), folder, user, cell.environment(), timeout)
    return time.monotonic() - begin


def run_and_report(cell, roots, arguments, commit):
    """Runs a cell, prints its line, and returns its row."""
    path = WORK / "logs" / f"{cell.system}-{cell.compiler}-{cell.name}.log"
    path.parent.mkdir(parents=True, exist_ok=True)
    begin, result = time.monotonic(), "passed"
    seconds = None
    with open(path, "wb") as log:
        try:
            key = (cell.system, cell.compiler, "shared" if cell.name in SHARED else cell.name)
            if key not in roots:
                roots.clear()
                roots[key] = prepare(cell, base_system(cell.system, arguments.bases), log)
            roots[key].log = log
            seconds = run_cell(cell, roots[key], arguments.timeout)
        except (Failed, subprocess.CalledProcessError, OSError) as error:
            result = f"failed: {error}"
    text = path.read_text(errors="replace")
    warnings = WARNING.findall(text)
    if warnings and result == "passed":
        result = f"failed: {len(warnings)} compiler warnings"
    seconds = seconds if seconds is not None else time.monotonic() - begin
    print(f"{cell.system:9} {cell.compiler:9} {cell.name:9} {result:30} {seconds:5.0f} s  {path.relative_to(ROOT)}", flush=True)
    if result != "passed":
        shown = warnings[:5] or text.splitlines()[-15:]
        print("".join(f"    {line}\n" for line in shown), end="", flush=True)
    return {"system": SYSTEMS[cell.system][0], "compiler": cell.compiler, "cell": cell.name, "result": result,
            "seconds": f"{seconds:.0f}", "commit": commit, "date": datetime.date.today().isoformat()}


def read_results():
    if not RESULTS.exists():
        return {}
    with open(RESULTS, encoding="utf-8") as file:
        return {(row["system"], row["compiler"], row["cell"]): row for row in csv.DictReader(file)}


def write_results(results):
    with open(RESULTS, "w", encoding="utf-8") as file:
        writer = csv.DictWriter(file, ["system", "compiler", "cell", "result", "seconds", "commit", "date"])
        writer.writeheader()
        writer.writerows(results.values())


def record(results, page=PAGE):
    """Writes the table of docs/build.md."""
    lines = ["| System | Compiler | Cell | Result | Seconds | Commit | Date |", "|---|---|---|---|---|---|---|"]
    order = [(SYSTEMS[system][0], compiler, name) for system in SYSTEMS for compiler in SYSTEMS[system][1] for name in CELLS]
    for key in sorted(results, key=lambda key: order.index(key) if key in order else len(order)):
        row = results[key]
        lines.append("| " + " | ".join([row["system"], row["compiler"], f"`{row['cell']}`", row["result"], row["seconds"],
                                        row["commit"], row["date"]]) + " |")
    before, _, rest = page.read_text().partition("<!-- matrix -->\n")
    _, _, after = rest.partition("<!-- end -->\n")
    page.write_text(f"{before}<!-- matrix -->\n" + "\n".join(lines) + f"\n<!-- end -->\n{after}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--system", action="append", choices=SYSTEMS)
    parser.add_argument("--compiler", action="append", help="such as g++-14 or clang-19; a package of the system")
    parser.add_argument("--cell", action="append", choices=CELLS)
    parser.add_argument("--list", action="store_true", help="print the cells, and run none")
    parser.add_argument("--bases", help="folder with base systems")
    parser.add_argument("--timeout", type=int, default=7200, help="seconds of a cell (default: 7200)")
    parser.add_argument("--record", action="store_true", help="write the results, with those of earlier runs, to docs/build.md")
    parser.add_argument("--keep", action="store_true", help="keep the last root folder: build/matrix/root")
    arguments = parser.parse_args()
    chosen = list(cells(arguments))
    if arguments.list:
        for cell in chosen:
            print(cell.system, cell.compiler, cell.name)
        return 0
    if not chosen:
        sys.exit("matrix: no such cell; --list prints them")
    if os.geteuid() != 0:
        sys.exit("matrix: needs root, for chroot\nhint: sudo ./dev matrix")
    WORK.mkdir(parents=True, exist_ok=True)
    commit = git("rev-parse", "--short", "HEAD").strip()
    if git("status", "--porcelain", "--untracked-files=no"):
        print(f"changes that are not committed are not tested: the cells clone {commit}")
    results, roots, failed = read_results(), {}, 0
    try:
        for cell in chosen:
            row = run_and_report(cell, roots, arguments, commit)
            failed += row["result"] != "passed"
            results[row["system"], row["compiler"], row["cell"]] = row
            write_results(results)
    except KeyboardInterrupt:
        sys.exit("matrix: interrupted")
    finally:
        if not arguments.keep:
            remove(WORK / "root")
    if arguments.record:
        record(results)
    print(f"{len(chosen) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
