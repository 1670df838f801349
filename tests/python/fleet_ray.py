"""The fleet on two Ray nodes of this machine, while processes are killed: the same bytes and the same reports as on one
process, and the time for each artifact. Run by hand, with the package on the path and ray, moto[server] and s3fs installed:

    fleet_ray.py [--count 10000] [--kill-every 3] [--urls 1000] [--prove] [--folder DIR]

Kills a worker of Ray, or the process that works for one, every few seconds, and takes one of the two nodes away once. With
--urls, a part of the artifacts is in a local object store, and so are the outputs. Conversions take less than a
millisecond each; with --prove they prove their outputs, so that a run lasts long enough to kill much.
"""

import argparse
import contextlib
import json
import logging
import os
import pathlib
import random
import shutil
import signal
import socket
import sys
import tempfile
import threading
import time
import traceback
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "generator"))
NODE = {"num_cpus": 1}


def make_artifacts(folder, count):
    """Writes programs in all formats, by the generator; one in fifty is damaged."""
    import shlo
    from generate import RECIPES, make_program

    names = [name for name in RECIPES if name.startswith("stablehlo.")]
    for seed in range(count):
        path = folder / f"d{seed % 97:02}" / f"p{seed:05}.mlir"
        path.parent.mkdir(parents=True, exist_ok=True)
        text = make_program(seed, names=names)[0]
        if seed % 50 == 7:
            path.write_text(text[: len(text) // 2])
        elif seed % 3 == 0:
            path.write_text(text)
        else:
            shlo.loads(text, verify=False).save(path.with_suffix(".shlo"), sync=False)
    (folder / "d00" / "readme.txt").write_text("not a program")


def descendants(pid):
    """Returns the processes that a process has started, with their command lines."""
    parents = {}
    for path in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, IndexError, ValueError):
            parents.setdefault(int((path / "stat").read_text().rpartition(")")[2].split()[1]), []).append(int(path.name))
    found, rest = {}, [pid]
    while rest:
        for child in parents.get(rest.pop(), ()):
            with contextlib.suppress(OSError):
                found[child] = pathlib.Path(f"/proc/{child}/cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
            rest.append(child)
    return found


class Killer(threading.Thread):
    """Kills a process that works every few seconds, until it is stopped."""

    def __init__(self, seconds, cluster):
        super().__init__(daemon=True)
        self.seconds, self.cluster = seconds, cluster
        self.killed, self.nodes, self.stopped = {"worker": 0, "process": 0}, 0, threading.Event()
        self.random = random.Random(1)

    def run(self):
        second = list(self.cluster.worker_nodes)[0]
        while not self.stopped.wait(self.seconds):
            found = descendants(os.getpid())
            # Not the agents of a node, whose names begin alike: without them it is taken down.
            for kind, mark in self.random.sample([("worker", "ray::_call"), ("process", "shlo.fleet._child")], 2):
                pids = [pid for pid, line in found.items() if mark in line]
                if pids:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(self.random.choice(pids), signal.SIGKILL)
                        self.killed[kind] += 1
                    break
            if sum(self.killed.values()) == 3 and not self.nodes:
                self.cluster.remove_node(second, allow_graceful=False)
                self.cluster.add_node(**NODE)
                self.nodes += 1

    def stop(self):
        self.stopped.set()
        self.join()
        return f"{self.killed['worker']} workers and {self.killed['process']} processes killed, {self.nodes} nodes taken away"


def files_below(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(pathlib.Path(folder).rglob("*")) if p.is_file() and not p.name.startswith(".")}


def timed(label, count, function):
    start = time.monotonic()
    result = function()
    seconds = time.monotonic() - start
    print(f"{label:58} {seconds:8.2f} s  {1000 * seconds / count:7.3f} ms each", flush=True)
    return result


def plain_loop(paths, out, prove):
    """Converts as a script without the fleet does."""
    import shlo

    failed = 0
    for path in paths:
        target = out / path.with_suffix(".mlirbc")
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            shlo.load(path).convert("1.9.0", allow_outside_window=True, portable=True, prove=prove).save(target, sync=False)
        except shlo.ShloError:
            failed += 1
    return failed


def compare(what, one, many):
    """Compares two runs: reports in all formats, and outputs."""
    formats = ("json", "text", "sarif", "junit", "github", "gitlab", "markdown", "html")
    for format in formats:
        assert one.render(format) == many.render(format), (what, format)
    print(f"{what}: the same {len(formats)} reports; {many.summary()}; {many.statistics}", flush=True)


def local(arguments, cluster):
    from shlo import fleet

    options = {"emit": "mlirbc", "allow_outside_window": True, "out": "out", "prove": arguments.prove}
    paths = sorted(p for p in pathlib.Path("models").rglob("*") if p.is_file() and p.suffix != ".txt")
    count = len(paths)
    timed("convert, plain loop in Python", count, lambda: plain_loop(paths, pathlib.Path("loop"), arguments.prove))
    one = timed("convert, fleet, 1 process", count, lambda: fleet.convert("models", "1.9.0", on="processes", jobs=1, **options))
    shutil.move("out", "one")
    timed("convert, fleet, processes", count, lambda: fleet.convert("models", "1.9.0", on="processes", **options))
    assert files_below("out") == files_below("one")
    shutil.rmtree("out")
    timed("convert, fleet, Ray on 2 nodes", count, lambda: fleet.convert("models", "1.9.0", on="ray", **options))
    assert files_below("out") == files_below("one")
    shutil.rmtree("out")
    killer = Killer(arguments.kill_every, cluster)
    killer.start()
    # Small batches, so that the run takes long enough to kill much.
    many = timed("convert, fleet, Ray on 2 nodes, killed", count,
                 lambda: fleet.convert("models", "1.9.0", on="ray", batch_items=arguments.batch, **options))  # fmt: skip
    checked = timed("check, fleet, Ray on 2 nodes, killed", count,
                    lambda: fleet.check("models", for_="1.0.0", no_policy=True, on="ray", batch_items=arguments.batch))  # fmt: skip
    print(killer.stop(), flush=True)
    compare("convert", one, many)
    assert files_below("out") == files_below("one")
    print(f"convert: the same bytes in {len(files_below('one'))} outputs", flush=True)
    one = timed("check, fleet, 1 process", count, lambda: fleet.check("models", for_="1.0.0", no_policy=True, on="processes", jobs=1))
    compare("check", one, checked)


def urls(arguments, cluster):
    import fsspec
    from shlo import fleet

    fs = fsspec.filesystem("s3")
    fs.mkdir("fleet")
    paths = sorted(p for p in pathlib.Path("models").rglob("*") if p.is_file())[: arguments.urls]
    for path in paths:
        fs.put_file(str(path), f"fleet/{path}")
        target = pathlib.Path("part") / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    options = {"emit": "mlirbc", "allow_outside_window": True, "prove": arguments.prove}
    os.chdir("part")
    one = fleet.convert("models", "1.9.0", on="processes", jobs=1, out="out", **options)
    killer = Killer(arguments.kill_every, cluster)
    killer.start()
    count = len(paths)
    url = {"on": "ray", "out": "s3://fleet/out", **options}
    many = timed("convert, fleet, Ray on 2 nodes, killed, object store", count,
                 lambda: fleet.convert("s3://fleet/models", "1.9.0", batch_items=16, **url))  # fmt: skip
    print(killer.stop(), flush=True)
    names = json.dumps(many.document).replace("s3://fleet/", "")
    assert json.loads(names) == one.document
    written = {path[len("fleet/out/") :]: fs.cat_file(path) for path in fs.find("fleet/out") if "/." not in path}
    assert written == files_below("out")
    print(f"object store: the same document and the same bytes in {len(written)} outputs; {many.summary()}", flush=True)
    again = timed("convert, fleet, resumed, object store", count, lambda: fleet.convert("s3://fleet/models", "1.9.0", resume=True, **url))
    assert again.document["summary"]["up_to_date"] == one.document["summary"]["done"], again
    again = timed("convert, fleet, resumed again, object store", count, lambda: fleet.convert("s3://fleet/models", "1.9.0", resume=True, **url))
    assert again.document["summary"]["up_to_date"] == one.document["summary"]["done"], again
    os.chdir("..")


@contextlib.contextmanager
def object_store():
    """A local object store, for this process and those that it starts."""
    from moto.server import ThreadedMotoServer

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=port, verbose=False)
    server.start()
    os.environ.update(AWS_ACCESS_KEY_ID="test", AWS_SECRET_ACCESS_KEY="test", AWS_DEFAULT_REGION="us-east-1",
                      FSSPEC_S3_ENDPOINT_URL=f"http://127.0.0.1:{port}")  # fmt: skip
    import fsspec.config

    fsspec.config.set_conf_env(fsspec.config.conf)
    try:
        yield
    finally:
        server.stop()


@contextlib.contextmanager
def two_nodes():
    """A cluster of two nodes on this machine, to which this program is connected."""
    import ray
    from ray.cluster_utils import Cluster

    # Nodes that end at exit can be added by the main thread only.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    cluster = Cluster(initialize_head=True, shutdown_at_exit=False, head_node_args={**NODE, "include_dashboard": False})
    # This program belongs to the first node, which stays, if there is no other one yet.
    ray.init(address=cluster.address, log_to_driver=False, logging_level="error")
    cluster.add_node(**NODE)
    cluster.wait_for_nodes()
    try:
        yield cluster
    except Exception:
        # Ray may end this process while it shuts down.
        traceback.print_exc()
        raise
    finally:
        ray.shutdown()
        cluster.shutdown()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=10000)
    parser.add_argument("--kill-every", type=float, default=3)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--urls", type=int, default=1000)
    parser.add_argument("--prove", action="store_true")
    parser.add_argument("--folder")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")

    folder = pathlib.Path(arguments.folder or tempfile.mkdtemp(prefix="fleet-"))
    folder.mkdir(exist_ok=True)
    os.chdir(folder)
    if not pathlib.Path("models").exists():
        timed("writing the artifacts", arguments.count, lambda: make_artifacts(pathlib.Path("models"), arguments.count))
    for name in ("out", "one", "loop", "part"):
        shutil.rmtree(name, ignore_errors=True)
    # The store comes first: the nodes have its address from the environment.
    with object_store() if arguments.urls else contextlib.nullcontext(), two_nodes() as cluster:
        local(arguments, cluster)
        if arguments.urls:
            urls(arguments, cluster)
    os.chdir("/")
    if not arguments.folder:
        shutil.rmtree(folder)
    print("ok")


if __name__ == "__main__":
    main()
