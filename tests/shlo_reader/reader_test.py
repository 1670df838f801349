#!/usr/bin/env python3
"""Compares the code of .shlo with its document: reads what the tool writes with the reader in this folder.

    reader_test.py TOOL WRITE_SAMPLES

Each program is written as .shlo, read by reader.py, printed by text.py, and given back to the tool, which must write
the same bytes again. Then everything in the file has been read: a reader that overlooks or mistakes something prints
a different program. Programs: tests/roundtrip, tests/proof/programs, tests/compat, a sample of each op of MLIR's
dialects, and generated programs. Ends with "N programs, M failures".
"""
import concurrent.futures
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TESTS = HERE.parent
sys.path[:0] = [str(HERE), str(TESTS / "generator")]
import reader
import text
from generate import make_program

GENERATED = 60


def write(tool, source, out, *flags):
    """Writes a program as .shlo. Returns its bytes, or None and the messages."""
    done = subprocess.run([tool, "--emit=shlo", "--allow-outside-window", *flags, "-o", out, source],
                          capture_output=True, text=True, errors="replace", check=False)
    return (out.read_bytes(), "") if done.returncode == 0 else (None, done.stderr)


def check(tool, source, folder):
    """Returns the bytes of a program and what is wrong, or (None, "") if the tool does not write it."""
    stem = f"{source.parent.name}-{source.stem}{source.suffix}"
    data, _ = write(tool, source, folder / f"{stem}.1.shlo")
    if data is None:
        return None, ""
    try:
        program = reader.read(data)
        copy = folder / f"{stem}.mlir"
        copy.write_text(text.write(program))
    except (ValueError, KeyError, IndexError, UnicodeDecodeError) as error:
        return data, f"{source}: {type(error).__name__}: {error}"
    assumed = [] if program.stated else [f"--from={program.version}"]
    again, messages = write(tool, copy, folder / f"{stem}.2.shlo", *assumed)
    if again is None:
        return data, f"{source}: what was read is refused: {messages[:500]}"
    if program.bare and program.stated:  # text states a version with `module`, so that its flag differs
        again, same = again[64:], data[64:]
        return data, "" if again == same else f"{source}: what was read is another program"
    return data, "" if again == data else f"{source}: what was read is another program"


def damage(data):
    """Changes each byte of a file, and cuts it: the reader must notice each time."""
    whole = reader.read(data)
    assert whole.outer
    for i in range(len(data)):
        for bit in (1, 128):
            changed = bytearray(data)
            changed[i] ^= bit
            try:
                reader.read(bytes(changed))
            except ValueError:
                continue
            yield f"a change of byte {i} of {len(data)} is not noticed"
    for size in range(0, len(data), 7):
        try:
            reader.read(data[:size])
            yield f"a cut at {size} is not noticed"
        except ValueError:
            pass


def together(programs):
    """Returns programs as one: nested modules."""
    return "module {\n" + "\n".join(f"module {{\n{p}\n}}" for p in programs) + "\n}\n"


def constants():
    """Returns a program with external constants, regular and irregular."""
    values = {"regular": bytes(range(256)) * 64, "irregular": random.Random(1).randbytes(5000)}
    functions = [f"""func.func @{name}() -> tensor<{len(data)}xi8> {{
  %0 = stablehlo.constant dense<"0x{data.hex()}"> : tensor<{len(data)}xi8>
  return %0 : tensor<{len(data)}xi8>
}}""" for name, data in values.items()]
    # Booleans are stored as bits, of which some are left over.
    for count in (1024, 5003):
        mask = random.Random(count).choices(b"\0\1", k=count)
        functions.append(f"""func.func @mask{count}() -> tensor<{count}xi1> {{
  %0 = stablehlo.constant dense<"0x{bytes(mask).hex()}"> : tensor<{count}xi1>
  return %0 : tensor<{count}xi1>
}}""")
    return "\n".join(functions)


def certificate(tool, folder):
    """Checks that the reader finds the certificate that a file carries."""
    data, messages = write(tool, TESTS / "proof/programs/branches.mlir", folder / "carry.shlo", "--prove=carry")
    if data is None:
        return [f"--prove=carry: {messages}"]
    return [] if "main" in str(json.loads(reader.read(data).certificate)) else ["the certificate is a different one"]


def constants_outside(tool, folder):
    """Checks that the reader refuses a file whose constants lie outside, and reads it with these."""
    (folder / "inside.mlir").write_text(constants())
    run = lambda *args: subprocess.run([tool, *args], capture_output=True, check=True, cwd=folder)
    run("inside.mlir", "-o", "inside.shlo")
    run("unpack", "inside.mlir", "-o", "outside.shlo", "--tensors=weights.safetensors")
    inside, data = (folder / "inside.shlo").read_bytes(), (folder / "outside.shlo").read_bytes()
    weights = (folder / "weights.safetensors").read_bytes()
    size = int.from_bytes(weights[:8], "little")
    arrays = {name: weights[8 + size + entry["data_offsets"][0]:8 + size + entry["data_offsets"][1]]
              for name, entry in json.loads(weights[8:8 + size]).items() if name != "__metadata__"}
    named = []

    def find(_sha256, _size, file, key):
        named.append(file)
        return arrays[key]
    try:
        reader.read(data)
        return ["a file without its constants is not refused"]
    except ValueError:
        pass
    problems = [] if text.write(reader.read(data, find)) == text.write(reader.read(inside)) else ["another program"]
    if set(named) != {"weights.safetensors"} or len(named) != 4:
        problems.append(f"constants in {named}")
    try:
        reader.read(data, lambda *of: find(*of)[::-1])
        problems.append("constants with another SHA-256 are not refused")
    except ValueError:
        pass
    return [f"constants outside: {problem}" for problem in problems]


def main():
    tool, samples_tool = sys.argv[1:]
    failures, read = [], 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        files = [f for name in ("roundtrip", "proof/programs", "compat") for f in sorted((TESTS / name).rglob("*"))
                 if f.suffix in (".mlir", ".mlirbc", ".shlo")]
        samples = subprocess.run([samples_tool], capture_output=True, text=True, check=True).stdout
        samples = [s for s in samples.split("// -----\n") if s.strip()]
        texts = [s for s in samples if "@callee" in s]  # a symbol of the outermost module
        texts += [together([s for s in samples if s not in texts])]
        generated = [make_program(i)[0] for i in range(GENERATED)]
        texts += [together(program for program in generated if "{-#" not in program)]  # resources belong to a file
        texts += [constants()]
        for i, program in enumerate(texts):
            files.append(folder / f"text{i}.mlir")
            files[-1].write_text(program)
        failures += certificate(tool, folder) + constants_outside(tool, folder)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            found = list(pool.map(lambda f: check(tool, f, folder), files))
        for source, (data, failure) in zip(files, found):
            read += data is not None
            failures += [failure] if failure else []
            several = b"\n// -----\n" in source.read_bytes()
            if data is None and not several and not source.name.startswith("bad-") and source.name != "chunks.mlir":
                failures.append(f"{source}: the tool does not write it: {write(tool, source, folder / source.stem)[1][:300]}")
            if source.name == "locations.mlir" and data:
                failures += damage(data)
    for failure in failures[:50]:
        print(failure)
    print(f"{read} programs, {len(failures)} failures")
    return 1 if failures or not read else 0


if __name__ == "__main__":
    sys.exit(main())
