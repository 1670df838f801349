#!/usr/bin/env python3
"""Measures an archive of many models that share most of their weights.

    archive.py TOOL [--models 10000] [--megabytes 5] [--families 200] [--folder DIR] [--keep]

Models are made in batches, added, and deleted: apart they would take models * megabytes. A family has the same weights;
each of its models has one different layer, as after fine-tuning. All are portable artifacts of 1.9.0. Prints sizes,
times, peak memory of each command, and the speed of verify against sha256sum. Run it on a quiet machine.
"""
import argparse
import json
import os
import pathlib
import random
import resource
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
import time

LAYERS = 24
BATCH = 100


class Measured:
    """Runs commands, and remembers how long they took and how much memory they had."""

    def __init__(self, tool, archive):
        self.tool, self.archive = tool, archive

    def __call__(self, *args, own=True):
        command = [self.tool, "archive", *args, "--archive", self.archive] if own else list(args)
        start = time.monotonic()
        child = subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        out, err = child.communicate()
        seconds = time.monotonic() - start
        if child.returncode != 0:
            sys.exit(f"{command}: exit code {child.returncode}: {err[-1000:]}")
        return seconds, out


def peak_megabytes(command):
    """Runs a command in another process, and returns its peak memory."""
    code = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL); "
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    out = subprocess.run([sys.executable, "-c", code, *map(str, command)], capture_output=True, text=True, check=True).stdout
    return int(out.split()[-1]) / 1024


def template(tool, folder, width):
    """Returns an artifact, and where its constants are."""
    marks = [struct.pack("<Q", 0x5EED0000 + i) * (width // 4) for i in range(LAYERS)]  # two bytes an element
    text = f"func.func @main(%x: tensor<{width}xbf16>) -> tensor<{width}xbf16> {{\n"
    for i, mark in enumerate(marks):
        text += f'  %w{i} = stablehlo.constant dense<"0x{mark.hex().upper()}"> : tensor<{width}xbf16>\n'
        text += f"  %y{i} = stablehlo.add {'%x' if i == 0 else f'%y{i - 1}'}, %w{i} : tensor<{width}xbf16>\n"
    text += f"  return %y{LAYERS - 1} : tensor<{width}xbf16>\n}}\n"
    (folder / "t.mlir").write_text(text)
    subprocess.run([tool, folder / "t.mlir", "--target=1.9.0", "-o", folder / "t.mlirbc"], check=True)
    data = (folder / "t.mlirbc").read_bytes()
    return bytearray(data), [data.index(mark) for mark in marks], width * 2


def weights(seed, size):
    """Returns numbers as after training: the exponents of bf16 are alike, the mantissas are not."""
    numbers = random.Random(seed)
    mantissas = numbers.randbytes(size // 2)
    exponents = bytes(numbers.choices((0x3B, 0x3C, 0x3D, 0xBB, 0xBC, 0xBD), k=4096))
    high = (exponents * (size // 8192 + 1))[:size // 2]
    out = bytearray(size)
    out[0::2], out[1::2] = mantissas, high
    return bytes(out)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--models", type=int, default=10_000)
    parser.add_argument("--megabytes", type=float, default=5)
    parser.add_argument("--families", type=int, default=200)
    parser.add_argument("--folder", help="where the archive is made (default: the system's temporary folder)")
    parser.add_argument("--keep", action="store_true", help="leave the archive")
    args = parser.parse_args()
    tool = os.path.abspath(args.tool)
    folder = pathlib.Path(tempfile.mkdtemp(dir=args.folder))
    try:
        measure(tool, args, folder)
    finally:
        if not args.keep:
            shutil.rmtree(folder)


def measure(tool, args, folder):
    archive = folder / "archive"
    run = Measured(tool, archive)
    subprocess.run([tool, "archive", "init", archive], check=True, stdout=subprocess.DEVNULL)
    data, places, size = template(tool, folder, int(args.megabytes * 1e6 / LAYERS / 2) // 4 * 4)
    adding, apart, rates = 0.0, 0, []
    for first in range(0, args.models, BATCH):
        batch = folder / "batch"
        batch.mkdir()
        for i in range(first, min(first + BATCH, args.models)):
            family, member = i * args.families // args.models, i
            for layer, at in enumerate(places):
                own = layer == member % LAYERS
                data[at:at + size] = weights((family, layer, member if own else -1).__repr__(), size)
            (batch / f"f{family}-{member}.mlirbc").write_bytes(data)
            apart += len(data)
        # The archive must not wait for the disk to write what the generator wrote.
        os.sync()
        seconds, _ = run("add", batch)
        adding += seconds
        rates.append(seconds / BATCH)
        shutil.rmtree(batch)
        print(f"{first + BATCH} models: {seconds / BATCH * 1000:.1f} ms each", file=sys.stderr, flush=True)
    stats = json.loads(run("stats", "--json")[1])
    print(f"models             {stats['models']}, {apart / 1e9:.1f} GB apart")
    print(f"on disk            {stats['packs_size'] / 1e9:.2f} GB in {stats['packs']} packs, "
          f"and {(archive / 'catalog.sqlite').stat().st_size / 1e6:.0f} MB of catalog")
    print(f"stored once        {stats['content_size'] / 1e9:.2f} GB, compressed {stats['stored_size'] / 1e9:.2f} GB")
    print(f"add, in batches    {adding / args.models * 1000:.1f} ms a model, {apart / adding / 1e6:.0f} MB/s; the last batch "
          f"{rates[-1] * 1000:.1f} ms a model")
    names = [m["model"] for m in json.loads(run("ls", "--json")[1])["models"]]
    print(f"ls                 {run('ls')[0] * 1000:.0f} ms for all, {min(run('ls', names[7])[0] for _ in range(5)) * 1000:.1f} ms for one, "
          f"{peak_megabytes([tool, 'archive', 'ls', '--archive', archive]):.0f} MB")
    print(f"show               {min(run('show', names[len(names) // 2])[0] for _ in range(5)) * 1000:.1f} ms")
    chosen = random.Random(1).sample(names, min(50, len(names)))
    times = [run("get", name, "-o", folder / "out.mlirbc")[0] for name in chosen]
    converted = [run("get", name, "--target=1.20.0", "-o", folder / "out.mlirbc")[0] for name in chosen[:20]]
    print(f"get                {statistics.median(times) * 1000:.0f} ms, at most {max(times) * 1000:.0f} ms; converted "
          f"{statistics.median(converted) * 1000:.0f} ms")
    print(f"peak memory        get {peak_megabytes([tool, 'archive', 'get', chosen[0], '-o', folder / 'out.mlirbc', '--archive', archive]):.0f} MB")
    packs = sorted((archive / "packs").iterdir())
    sha256, _ = run("sha256sum", *packs, own=False)
    sha256, _ = run("sha256sum", *packs, own=False)
    checksums, _ = run("verify", "--checksums")
    one, _ = run("verify", "-j1")
    whole, _ = run("verify")
    peak = peak_megabytes([tool, "archive", "verify", "--archive", archive])
    gigabytes = stats["packs_size"] / 1e9
    print(f"verify             {gigabytes / whole:.2f} GB/s, on one core {gigabytes / one:.2f} GB/s, only checksums "
          f"{gigabytes / checksums:.2f} GB/s, {peak:.0f} MB; sha256sum {gigabytes / sha256:.2f} GB/s")
    rebuild, _ = run("rebuild")
    print(f"rebuild            {rebuild:.1f} s")
    part = 20  # of the models
    migrate, out = run("migrate", "--target=1.20.0", "-j1", f"--part=1/{part}", "--json")
    migrated = json.loads(out)["summary"].get("migrated", 0)
    print(f"migrate            {migrate / migrated * 1000:.0f} ms a model on one core, with proof and certificate")
    rest, out = run("migrate", "--target=1.20.0", "--json")
    others = json.loads(out)["summary"].get("migrated", 0)
    after = json.loads(run("stats", "--json")[1])
    peak = peak_megabytes([tool, "archive", "migrate", "--target=1.20.0", "--archive", archive])
    print(f"migrate the rest   {others} models in {rest:.1f} s on {os.cpu_count()} cores, "
          f"{(after['packs_size'] - stats['packs_size']) / (migrated + others) / 1000:.1f} kB each; again, {peak:.0f} MB")
    certificates, _ = run("verify", "--certificates", f"--part=1/{part}")
    print(f"verify             {certificates / migrated * 1000:.0f} ms a certificate")
    print(f"files at the end   {len(list((archive / 'packs').iterdir()))} packs; peak of this script "
          f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
