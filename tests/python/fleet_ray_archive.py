"""Migrates an archive with proofs by the command, and by the fleet on two Ray nodes of this machine, while processes are
killed: the same reports and contents, and the time for each model. Run by hand, with the package on the path and ray
installed:

    fleet_ray_archive.py TOOL ARCHIVE [--target current] [--kill-every 3] [--retries 20] [--folder DIR] [--killed] [--store]

ARCHIVE is left as it is: copies of it are migrated. bench/archive.py --keep makes a large one. --killed leaves out what
is only for the time. --store, which needs moto[server] and s3fs, also migrates a copy in a local object store.
"""

import argparse
import collections
import contextlib
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

import archive_pack  # noqa: E402
from fleet_ray import Killer, object_store, timed, two_nodes  # noqa: E402

ENTRY, CENSUS = 3, 4


def contents(archive):
    """Returns the ids of all data and lists, and the entries without their times, which are those of the run."""
    ids, entries = set(), collections.Counter()
    for pack in (archive / "packs").iterdir():
        with open(pack, "rb") as file:
            file.seek(-56, 2)
            index_at, count = struct.unpack("<QQ", file.read(16))
            file.seek(index_at)
            records = list(struct.iter_unpack(archive_pack.RECORD, file.read(80 * count)))
            at = 64
            for record in records:
                if record[1] == ENTRY:
                    file.seek(at + 80)
                    entry = json.loads(archive_pack.content_of(record, file.read(record[5])))
                    entry.pop("time")
                    entries[json.dumps(entry, sort_keys=True)] += 1
                elif record[1] != CENSUS:
                    ids.add(record[8])
                at += 80 + record[5]
    return ids, entries


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tool")
    parser.add_argument("archive", type=pathlib.Path)
    parser.add_argument("--target", default="current")
    parser.add_argument("--kill-every", type=float, default=3)
    parser.add_argument("--retries", type=int, default=20, help="of a part whose process was killed")
    parser.add_argument("--folder")
    parser.add_argument("--killed", action="store_true", help="only by the command, and while processes are killed")
    parser.add_argument("--store", action="store_true", help="also a copy in a local object store")
    arguments = parser.parse_args()
    # Before the nodes start, which have its address from the environment.
    with object_store() if arguments.store else contextlib.nullcontext():
        run(arguments)


def run(arguments):
    warnings.simplefilter("ignore")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="archive-", dir=arguments.folder))

    def copied(name):
        shutil.copytree(arguments.archive, folder / name)
        return folder / name

    def command(*words):
        done = subprocess.run([arguments.tool, "archive", *words, "--json"], capture_output=True, text=True)
        assert done.returncode in (0, 1), done.stderr
        return json.loads(done.stdout)

    def same(what, report, archive):
        document = json.loads(json.dumps(report.document))
        for key in ("exit", "diagnostics", "summary", "leaving", "models"):
            assert document[key] == expected[key], (what, key, str(document[key])[:1000])
        assert contents(archive) == wanted, what
        verified = command("verify", "--certificates", f"--archive={archive}")
        assert verified["exit"] == 0
        print(f"{what}: the same document, data and entries; {verified['summary']}; {report.statistics}", flush=True)
        shutil.rmtree(archive)

    one = copied("one")
    count = len(command("ls", f"--archive={one}")["models"])
    expected = timed("migrate, command", count, lambda: command("migrate", f"--archive={one}", f"--target={arguments.target}", *([] if arguments.killed else ["-j1"])))
    wanted = contents(one)
    print(f"{expected['summary']}, {len(wanted[0])} data and lists, {sum(wanted[1].values())} entries", flush=True)
    if not arguments.killed:
        two = copied("two")
        timed("migrate, command, all cores", count, lambda: command("migrate", f"--archive={two}", f"--target={arguments.target}"))
        assert contents(two) == wanted
        shutil.rmtree(two)

    from shlo.fleet import archive as fleet

    with two_nodes() as cluster:
        if not arguments.killed:
            three = copied("three")
            same("Ray", timed("migrate, fleet, Ray on 2 nodes", count, lambda: fleet.migrate(three, to=arguments.target, on="ray")), three)
        four = copied("four")
        killer = Killer(arguments.kill_every, cluster)
        killer.start()
        # Small parts, so that a worker that ends loses little.
        parts = max(8, count // 50)
        report = timed("migrate, fleet, Ray on 2 nodes, killed", count,
                       lambda: fleet.migrate(four, to=arguments.target, on="ray", parts=parts, retries=arguments.retries))  # fmt: skip
        print(killer.stop(), flush=True)
        same("Ray, killed", report, four)
        if arguments.store:
            import fsspec

            fs = fsspec.filesystem("s3")
            fs.mkdir("archives")
            for path in (path for path in arguments.archive.rglob("*") if path.name == "shlo-archive" or path.suffix == ".pack"):
                fs.put_file(str(path), f"archives/a/{path.relative_to(arguments.archive)}")
            os.environ["SHLO_ARCHIVE_COPIES"] = str(folder / "copies")
            killer = Killer(arguments.kill_every, cluster)
            killer.start()
            report = timed("migrate, fleet, Ray on 2 nodes, killed, object store", count,
                           lambda: fleet.migrate("s3://archives/a", to=arguments.target, on="ray", parts=parts, retries=arguments.retries))  # fmt: skip
            print(killer.stop(), flush=True)
            fs.invalidate_cache()
            fs.get("archives/a", str(folder / "five"), recursive=True)
            same("Ray, killed, object store", report, folder / "five")
    shutil.rmtree(folder)
    print("ok")


if __name__ == "__main__":
    main()
