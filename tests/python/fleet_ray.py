"""The fleet on two Ray nodes of this machine, while processes are killed: the same bytes and the same reports as on one
process, and the time for each artifact. Run by hand, with the package on the path and ray, moto[server] and s3fs installed:

    fleet_ray.py [--count 10000] [--kill-every 3] [--urls 1000] [--grid 3] [--prove] [--folder DIR]

Kills a worker of Ray, or the process that works for one, every few seconds, and takes one of the two nodes away once. With
--urls, a part of the artifacts is in a local object store, and so are the outputs. Conversions take less than a
millisecond each; with --prove they prove their outputs, so that a run lasts long enough to kill much. --grid runs a program
of 2x4 processes as actors, as many times, while actors are killed.
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
# Processes to kill: a name, and a part of the command line. Not the agents of a node, whose names begin alike: without them it is
# taken down.
WORKERS = {"worker": "ray::_call", "process": "shlo.fleet._child"}
ACTORS = {"process": "ray::_ProcessActor", "grid": "ray::_GridActor"}


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

    def __init__(self, seconds, cluster, marks=WORKERS):
        super().__init__(daemon=True)
        self.seconds, self.cluster, self.marks = seconds, cluster, marks
        self.killed, self.nodes, self.stopped = dict.fromkeys(marks, 0), 0, threading.Event()
        self.random = random.Random(1)

    def run(self):
        second = list(self.cluster.worker_nodes)[0]
        while not self.stopped.wait(self.seconds):
            found = descendants(os.getpid())
            for kind, mark in self.random.sample(list(self.marks.items()), len(self.marks)):
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
        return f"killed: {self.killed}, {self.nodes} nodes taken away"


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
                    lambda: fleet.check("models", requires="1.0.0", no_policy=True, on="ray", batch_items=arguments.batch))  # fmt: skip
    print(killer.stop(), flush=True)
    compare("convert", one, many)
    assert files_below("out") == files_below("one")
    print(f"convert: the same bytes in {len(files_below('one'))} outputs", flush=True)
    one = timed("check, fleet, 1 process", count, lambda: fleet.check("models", requires="1.0.0", no_policy=True, on="processes", jobs=1))
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


# Each process takes part in 150 rounds of collectives, and feeds what it gets into the next.
GRID = """
func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %rounds = stablehlo.constant dense<150> : tensor<i32>
  %tenth = stablehlo.constant dense<0.1> : tensor<4x4xf32>
  %r:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<4x4xf32>
    cond {
      %c = stablehlo.compare LT, %i, %rounds : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %n = stablehlo.add %i, %one : tensor<i32>
      %a = "stablehlo.all_to_all"(%v) {split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 4 : i64,
        replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>
        } : (tensor<4x4xf32>) -> tensor<1x16xf32>
      %b = stablehlo.reshape %a : (tensor<1x16xf32>) -> tensor<4x4xf32>
      %p = "stablehlo.collective_permute"(%b) {source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>
        } : (tensor<4x4xf32>) -> tensor<4x4xf32>
      %s = "stablehlo.all_reduce"(%p) ({
      ^bb0(%l: tensor<f32>, %m: tensor<f32>):
        %t = stablehlo.add %l, %m : tensor<f32>
        stablehlo.return %t : tensor<f32>
      }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>
        } : (tensor<4x4xf32>) -> tensor<4x4xf32>
      %d = stablehlo.multiply %s, %tenth : tensor<4x4xf32>
      %w = stablehlo.sine %d : tensor<4x4xf32>
      %o = stablehlo.add %w, %v : tensor<4x4xf32>
      %q = stablehlo.tanh %o : tensor<4x4xf32>
      stablehlo.return %n, %q : tensor<i32>, tensor<4x4xf32>
    }
  return %r#1 : tensor<4x4xf32>
}
"""


def grid(arguments, cluster):
    import numpy as np
    import shlo
    from shlo import fleet

    program = shlo.loads(GRID)
    inputs = [np.random.default_rng(i).random((4, 4), np.float32) for i in range(8)]
    shape = {"replicas": 2, "partitions": 4}
    threads = timed("a grid of 2x4, threads", 1, lambda: program.eval(*inputs, **shape))
    place = fleet.RayActors(retries=100)
    actors = timed("a grid of 2x4, actors", 1, lambda: program.eval(*inputs, **shape, place=place))
    assert all(np.array_equal(one, other) for one, other in zip(threads, actors))
    # A run must be able to end in between.
    killer = Killer(3 * arguments.kill_every, cluster, ACTORS)
    killer.start()
    for _ in range(arguments.grid):
        actors = timed("a grid of 2x4, actors, killed", 1, lambda: program.eval(*inputs, **shape, place=place))
        assert all(np.array_equal(one, other) for one, other in zip(threads, actors))
    print(killer.stop(), flush=True)
    print("a grid of 2x4: the same results as in threads", flush=True)


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
    parser.add_argument("--grid", type=int, default=3)
    parser.add_argument("--prove", action="store_true")
    parser.add_argument("--folder")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")

    folder = pathlib.Path(arguments.folder or tempfile.mkdtemp(prefix="fleet-"))
    folder.mkdir(exist_ok=True)
    os.chdir(folder)
    if arguments.count and not pathlib.Path("models").exists():
        timed("writing the artifacts", arguments.count, lambda: make_artifacts(pathlib.Path("models"), arguments.count))
    for name in ("out", "one", "loop", "part"):
        shutil.rmtree(name, ignore_errors=True)
    # The store comes first: the nodes have its address from the environment.
    with object_store() if arguments.urls else contextlib.nullcontext(), two_nodes() as cluster:
        if arguments.count:
            local(arguments, cluster)
        if arguments.grid:
            grid(arguments, cluster)
        if arguments.urls:
            urls(arguments, cluster)
    os.chdir("/")
    if not arguments.folder:
        shutil.rmtree(folder)
    print("ok")


if __name__ == "__main__":
    main()
