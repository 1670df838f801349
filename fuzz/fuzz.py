#!/usr/bin/env python3
"""Runs the fuzz targets and keeps their corpora (tests/corpus).

    fuzz.py run FUZZERS TOOLS SECONDS [TARGET...]       runs every target, or these: runs, runs per second, findings
    fuzz.py minimize FUZZERS TOOLS [TARGET...]          replaces the kept corpora by the smallest that reach as much
    fuzz.py export FOLDER                               writes seed corpora and dictionaries as OSS-Fuzz has them

FUZZERS and TOOLS are the folders of the fuzz targets and of the tool. Corpora grow in build/corpus.
"""

import argparse
import hashlib
import io
import json
import lzma
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
KEPT = ROOT / "tests" / "corpus"
WORK = ROOT / "build" / "corpus"
# Recording allocation stacks and filling memory would take most of the time. Reproduce a finding without this.
FAST = "malloc_context_size=0:quarantine_size_mb=4:max_malloc_fill_size=0:detect_stack_use_after_return=0:redzone=256"
MOST_FINDINGS = 5  # after which a target ends
WORDS = ["tensor<", "dense<", "array<i64: ", "!quant.uniform<", "loc(", "^bb0(", "#stablehlo.", "{-#", "complex<f32>",
         "func.func @f(", ") -> ("]
CERTIFICATE_WORDS = ['"matches": [[', '"repeats": [[', '"evidence": "laws"', '"congruence"', '"form": "steps"', '"laws": [']

DIALECT_WORDS = ["[[op]]", "[[type]]", "[[version]]", "name = ", "since = ", "until = ", "operands = [{", "arity = ",
                 "list-since = ", "formerly = [{", "kind = ", "default = ", "optional = true", "same = [{", "acme.version = ",
                 "operandSegmentSizes = array<i32: ", "tensor<", "!acme.", "#acme.", "---"]

# Seeds of a target, and the greatest length of its inputs. Short programs run a hundred times as often.
PROGRAMS, ARTIFACTS, BYTECODE, DIALECTS = "programs", "artifacts", "bytecode", "dialects"
TARGETS = {
    "text": ([PROGRAMS], 65536),
    "mlirbc": ([BYTECODE], 65536),
    "shlo": ([ARTIFACTS], 65536),
    "container": (["containers"], 65536),
    "tensor_file": (["tensors"], 4096),
    "dialect": ([DIALECTS], 8192),
    "evaluator": ([PROGRAMS], 4096),
    "convert": ([PROGRAMS, ARTIFACTS, BYTECODE], 8192),
    "prove": ([PROGRAMS], 2048),
    "reduce": ([PROGRAMS], 2048),
    "certificate": ([], 8192),  # makes its own seeds
    "archive": (["packs"], 16384),
    "placement": ([], 4096),  # likewise
}
SMALL = 4096  # bytes of a kept input


def dictionary(name):
    """The names of ops and attributes, and words that a fuzzer is unlikely to find."""
    words = list(DIALECT_WORDS if name == "dialect" else CERTIFICATE_WORDS)
    if PROGRAMS in TARGETS[name][0]:
        rows = (ROOT / "schema" / "ops.inc").read_text()
        words = WORDS + sorted(set(re.findall(r'SHLO_OP\(\d+, "([^"]+)"', rows) + re.findall(r'\bAt\("(\w+)"', rows)))
    return "".join('"%s"\n' % word.replace("\\", "\\\\").replace('"', '\\"') for word in words)


def has_dictionary(name):
    return PROGRAMS in TARGETS[name][0] or name in ("certificate", "dialect")


def kept_inputs(name):
    """The inputs in tests/corpus as pairs of a name and bytes."""
    inputs = []
    if (KEPT / f"{name}.tar.xz").exists():
        with tarfile.open(KEPT / f"{name}.tar.xz") as archive:
            inputs += [(m.name, archive.extractfile(m).read()) for m in archive.getmembers() if m.isfile()]
    if (KEPT / name).is_dir():
        inputs += [(path.name, path.read_bytes()) for path in sorted((KEPT / name).iterdir())]
    return inputs


# --- Seeds ----------------------------------------------------------------------------------------


def write_seeds(tools):
    """Writes programs, artifacts, containers and files of tensors to build/corpus/seeds, once."""
    seeds = WORK / "seeds"
    if (seeds / "done").exists():
        return seeds
    shutil.rmtree(seeds, ignore_errors=True)
    for folder in PROGRAMS, ARTIFACTS, BYTECODE, DIALECTS, "containers", "tensors", "packs":
        (seeds / folder).mkdir(parents=True)
    dialect = ROOT / "examples/dialect"
    for path in sorted((dialect / "programs").glob("*.mlir")):
        (seeds / DIALECTS / path.stem).write_text((dialect / "acme.toml").read_text() + "\n---\n" + path.read_text())
    subprocess.run([sys.executable, ROOT / "tests/generator/generate.py", "write", "300", seeds / PROGRAMS], check=True,
                   stdout=subprocess.DEVNULL)
    for path in [*ROOT.glob("tests/roundtrip/*.mlir"), *ROOT.glob("tests/proof/programs/*.mlir")]:
        shutil.copy(path, seeds / PROGRAMS / path.name)
    for op, program in re.findall(r'SHLO_EXAMPLE\("([^"]+)", R"\((.*?)\)"\)', (ROOT / "schema/examples.inc").read_text(), re.S):
        (seeds / PROGRAMS / f"{op}.mlir").write_text(program)
    tool = pathlib.Path(tools, "shlo-compat").resolve()
    releases = ["0.9.0", "0.14.0", "0.19.0", "1.0.0", "1.8.0", "1.12.0", "1.20.0"]
    for i, path in enumerate(sorted((seeds / PROGRAMS).iterdir())):
        for arguments in ([f"--output={seeds / ARTIFACTS / path.stem}.shlo"],
                          [f"--output={seeds / BYTECODE / path.stem}.bc", "--emit=mlirbc", "--target=" + releases[i % len(releases)],
                           "--allow-outside-window"]):
            # Not every file is one program that verifies, and that the release can represent.
            subprocess.run([tool, *arguments, path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    subprocess.run([pathlib.Path(tools, "write_containers").resolve(), seeds / "containers"], check=True)
    write_tensors(seeds / "tensors")
    write_packs(tool, seeds / "packs")
    (seeds / "done").touch()
    return seeds


def write_tensors(folder):
    def npy(descr, shape, data, order=False):
        header = f"{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}".encode()
        header += b" " * (-(len(header) + 11) % 64) + b"\n"
        return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data

    arrays = {
        "f32": npy("<f4", (2, 3), bytes(range(24)), order=True),
        "i1": npy("|b1", (4,), b"\x00\x01\x01\x00"),
        "c64": npy(">c8", (1,), bytes(8)),
        "scalar": npy("<i8", (), bytes(8)),
        "bf16": npy("|V2", (3,), bytes(6)),
    }
    for name, data in arrays.items():
        (folder / f"{name}.npy").write_bytes(data)
    for method in zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED:
        with zipfile.ZipFile(folder / f"arrays{method}.npz", "w", method) as archive:
            for name, data in arrays.items():
                archive.writestr(f"{name}.npy", data)
    header = json.dumps({"__metadata__": {"format": "pt"}, "a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]},
                         "b": {"dtype": "BF16", "shape": [1, 2], "data_offsets": [8, 12]}}).encode()
    (folder / "a.safetensors").write_bytes(struct.pack("<Q", len(header)) + header + bytes(12))


def write_packs(tool, folder):
    """Writes packs of an archive, and the contents of their records, each after the byte that chooses its reader."""
    sys.path.append(str(ROOT / "tests"))
    import archive_pack
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        archive = ["--archive", scratch / "a"]
        run = lambda *args: subprocess.run([tool, "archive", *args], check=True, stdout=subprocess.DEVNULL)
        run("init", scratch / "a")
        (scratch / "w.mlir").write_text("func.func @main() -> tensor<2000xi8> {\n  %0 = stablehlo.constant dense<\"0x" +
                                        bytes(range(250)).hex().upper() * 8 + "\"> : tensor<2000xi8>\n  return %0 : tensor<2000xi8>\n}\n")
        programs = ROOT / "tests/proof/programs"
        run("add", scratch / "w.mlir", programs / "branches.mlir", "--golden=random:1", "--tag=t", *archive)
        run("add", ROOT / "tests/compat/37/sub.mlir", *archive)
        run("tag", "w", "--add=a", "--remove=t", "--meta=k=v", *archive)
        run("migrate", "--to=current", "--allow-outside-window", *archive)
        run("prune", "branches", *archive)
        run("add", programs / "loops.mlir", *archive)
        for pack in sorted((scratch / "a/packs").iterdir()):
            for choice in 0, 1:
                (folder / f"{pack.stem}.{choice}").write_bytes(bytes([choice]) + pack.read_bytes())
            for i, (kind, _, _, content) in enumerate(archive_pack.read(pack)):
                if kind > 1:
                    (folder / f"{pack.stem}.{i}.part").write_bytes(b"\x02" + content)
    constant = "sha256:" + "ab" * 32 + " size:2048 alignment:64 file:a%20b/w.safetensors key:w0"
    (folder / "outside").write_bytes(b"\x02" + constant.encode())
    policy = '[[migrate]]\nmatch = ["a/**"]\nto = "WEEK_12"\nat-least = "laws"\nexpand = true\n'
    (folder / "policy").write_bytes(b"\x02" + policy.encode())


# --- Runs -----------------------------------------------------------------------------------------


def command(fuzzers, name, length, *arguments):
    return [pathlib.Path(fuzzers, f"{name}_fuzz").resolve(), f"-max_len={length}", "-timeout=25", "-rss_limit_mb=4096", *arguments]


def environment():
    return {**os.environ, "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", FAST)}


def prepare(name, tools):
    """Returns the folder in which the corpus grows, and those of the seeds."""
    kinds, _ = TARGETS[name]
    seeds = write_seeds(tools)
    corpus, kept = WORK / name, WORK / "kept" / name
    corpus.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(kept, ignore_errors=True)
    kept.mkdir(parents=True)
    for file, data in kept_inputs(name):
        (kept / file).write_bytes(data)
    return corpus, [kept] + [seeds / kind for kind in kinds]


def run(name, fuzzers, tools, seconds):
    """Runs a target until the time is up, again after each finding. Returns the number of findings."""
    corpus, seeds = prepare(name, tools)
    findings = WORK / "findings" / name
    findings.mkdir(parents=True, exist_ok=True)
    arguments = ["-entropic=0", "-print_final_stats=1", f"-artifact_prefix={findings}/"]
    if has_dictionary(name):
        (WORK / f"{name}.dict").write_text(dictionary(name))
        arguments.append(f"-dict={WORK / name}.dict")
    runs, found, started = 0, 0, time.monotonic()
    while (left := int(seconds - (time.monotonic() - started))) > 0 and found < MOST_FINDINGS:
        log = WORK / f"{name}-{found}.log"
        with open(log, "w") as out:
            code = subprocess.run(command(fuzzers, name, TARGETS[name][1], f"-max_total_time={left}", *arguments, corpus, *seeds),
                                  stdout=out, stderr=subprocess.STDOUT, env=environment(), check=False).returncode
        text = log.read_text(errors="replace")
        executed = re.search(r"number_of_executed_units:\s+(\d+)", text)
        runs += int(executed[1]) if executed else 0
        if code == 0:
            break
        found += 1
        what = re.search(r"FINDING: .*|SUMMARY: .*|ERROR: .*", text)
        print(f"{name}: {what[0] if what else f'exit code {code}'} (see {log.relative_to(ROOT)})", flush=True)
    taken = max(time.monotonic() - started, 1)
    print(f"{name}: {runs} runs in {taken:.0f} s, {runs / taken:.0f} runs/s, {len(list(corpus.iterdir()))} inputs, {found} findings",
          flush=True)
    return found


def minimize(name, fuzzers, tools):
    """Replaces a kept corpus by a few short inputs that reach all that the short ones of all seeds and runs reach."""
    corpus, seeds = prepare(name, tools)
    least = WORK / "least" / name
    shutil.rmtree(least, ignore_errors=True)
    least.mkdir(parents=True)
    arguments = ["-merge=1", "-set_cover_merge=1", least, corpus, *seeds]
    with open(WORK / f"{name}-merge.log", "w") as out:
        subprocess.run(command(fuzzers, name, min(SMALL, TARGETS[name][1]), *arguments), stdout=out, stderr=subprocess.STDOUT,
                       env=environment(), check=True)
    inputs = sorted((path.read_bytes() for path in least.iterdir()), key=lambda data: hashlib.sha1(data).digest())
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for data in inputs:
            info = tarfile.TarInfo(hashlib.sha1(data).hexdigest()[:16])
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    (KEPT / f"{name}.tar.xz").write_bytes(lzma.compress(archive.getvalue(), preset=9 | lzma.PRESET_EXTREME))
    print(f"{name}: {len(inputs)} inputs, {(KEPT / f'{name}.tar.xz').stat().st_size} bytes", flush=True)


def export(folder):
    for name in TARGETS:
        with zipfile.ZipFile(pathlib.Path(folder, f"{name}_fuzz_seed_corpus.zip"), "w", zipfile.ZIP_DEFLATED) as archive:
            for file, data in kept_inputs(name):
                archive.writestr(file, data)
        if has_dictionary(name):
            pathlib.Path(folder, f"{name}_fuzz.dict").write_text(dictionary(name))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in "run", "minimize":
        sub = commands.add_parser(name)
        sub.add_argument("fuzzers")
        sub.add_argument("tools")
        if name == "run":
            sub.add_argument("seconds", type=int)
        sub.add_argument("targets", nargs="*", metavar="TARGET")
    commands.add_parser("export").add_argument("folder")
    args = parser.parse_args()
    if args.command == "export":
        export(args.folder)
        return 0
    sources = {path.stem.removesuffix("_fuzz") for folder in ("lib", "fuzz") for path in (ROOT / folder).rglob("*_fuzz.cc")}
    if sources != set(TARGETS):
        sys.exit(f"fuzz: TARGETS in {__file__} differs from the sources: {', '.join(sources ^ set(TARGETS))}")
    chosen = [target.removesuffix("_fuzz") for target in args.targets] or list(TARGETS)
    if unknown := [target for target in chosen if target not in TARGETS]:
        sys.exit(f"fuzz: unknown target '{unknown[0]}'; targets are {', '.join(TARGETS)}")
    WORK.mkdir(parents=True, exist_ok=True)
    found = 0
    for name in chosen:
        if args.command == "run":
            found += run(name, args.fuzzers, args.tools, args.seconds)
        else:
            minimize(name, args.fuzzers, args.tools)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
