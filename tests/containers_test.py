#!/usr/bin/env python3
"""Checks what the tool does with jax.export files and SavedModels.

    containers_test.py TOOL WRITE_CONTAINERS
"""
import gzip
import json
import os
import pathlib
import subprocess
import sys

import tool_checks


def main():
    tool, write_files = map(os.path.abspath, sys.argv[1:])
    return tool_checks.Checks(tool).main(lambda run, expect: check_all(tool, write_files, run, expect))


def check_all(tool, write_files, run, expect):
    subprocess.run([write_files, "."], check=True)
    read = lambda path: pathlib.Path(path).read_bytes()

    # Every command reads what is in a container.
    run("verify", "gradients.bin", "model", "single.pb", "newer.bin")
    run("roundtrip", "gradients.bin", "model")
    run("prove", "one.bin", "gradients.bin")
    run("prove", "one.bin", "gradients.bin", "--program=f_vjp", code=3, err="no program is named 'f_vjp'")
    value = "dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>"
    run("eval", "--arg", f"0={value}", "gradients.bin", out="-1")
    run("eval", "--arg", f"0={value}", "--program=f_vjp", "gradients.bin", out="[1")
    run("eval", "--arg", f"0={value}", "model", code=2, err="pass --program=NAME with one of: call_0, inner/call_1")
    run("eval", "--arg", f"0={value}", "--program=inner/call_1", "model", out="[1")
    run("verify", "--program=g", "one.bin", code=3, err="choose one of: 'f'")
    run("verify", "none.pb", code=3, err="it has no XlaCallModule node")
    run("verify", "broken.bin", code=3, err="broken.bin")

    # Text of all programs; one alone; the container again.
    expect(run("gradients.bin").count("// -----") == 2, "text of three programs")
    run("--extract", "-o", "main.mlirbc", "gradients.bin")
    run("verify", "main.mlirbc")
    expect(read("main.mlirbc").startswith(b"ML\xefR"), "--extract writes bytecode")
    for name in "main.mlirbc", "main.bc", "MAIN.SHLO", "main.mlir":
        run("-o", name, "gradients.bin", code=2, err="pass --extract to write a program alone")
    run("--extract=f_vjp", "gradients.bin", out="stablehlo.negate")
    run("--extract", "model", code=2, err="expected 1 program, but the file has 2")
    run("--extract", "main.mlirbc", code=2, err="'--extract' requires a jax.export file or a SavedModel")
    run("-o", "x.mlir", "one.bin", code=2, err="pass --extract")
    run("-o", "x.bin", "--emit=text", "one.bin", code=2, err="pass --extract")
    run("-o", "x.bin", "--program=f", "gradients.bin", code=2, err="pass --extract")
    run("--container-version=0.8.1", "one.bin", code=2, err="pass -o OUT")
    for name in "one.bin", "gradients.bin", "newer.bin", "single.pb":
        run("-o", "same", name)
        expect(read("same") == read(name), f"{name} keeps its bytes")
        run("--target=1.0.0", "--allow-outside-window", "-o", "old", name)
        programs = json.loads(run("inspect", "--json", "old"))["files"][0]["programs"]
        expect([p["version"]["release"] for p in programs] == ["1.0.0"] * len(programs), f"{name} at 1.0.0")
        run("-o", "old2", "--target=1.9.0", "old")
        run("prove", *(["one.bin"] if name.endswith(".bin") else ["single.pb"]), "old2")

    # Flags that change programs at their own version.
    expect("chlo.square" in run("chlo.bin"), "the program has an op of CHLO")
    run("--expand", "-o", "expanded.bin", "chlo.bin")
    expect("chlo.square" not in run("expanded.bin"), "--expand changes the program in its container")
    run("prove", "chlo.bin", "expanded.bin")

    # The container's version.
    run("-o", "old.bin", "--container-version=0.8.1", "one.bin")
    run("inspect", "old.bin", out="read_by_jax = 0.4.24 and later")
    run("-o", "x", "--container-version=0.4.30", "custom.bin", code=1, err="cannot read custom nodes in its trees")
    run("-o", "x", "--container-version=0.3", "one.bin", code=2, err="is not a release of jax")
    run("-o", "x", "--container-version=0.8.1", "newer.bin", code=1, err="fields of a newer release")
    run("-o", "x", "--container-version=0.8.1", "single.pb", code=2, err="pass a version from 4 to 10, or a release from 2.13 on")
    run("-o", "eight.pb", "--container-version=2.15.1", "single.pb")
    run("inspect", "eight.pb", out="read_by_tensorflow = 2.14 and later")
    run("-o", "nine.pb", "--container-version=9", "eight.pb")
    run("-o", "ten.pb", "--container-version=10", "--for=tensorflow==2.21.0", "eight.pb")
    run("inspect", "ten.pb", out="calling_convention_version = 10")
    run("prove", "single.pb", "ten.pb")
    run("-o", "x", "--container-version=3", "single.pb", code=1, err="does not have a program format that any release promises to read, in 'call_0'")
    # A consumer's version is a target of programs in a container, too.
    run("--for=jaxlib==0.4.35", "-o", "for.bin", "one.bin")
    expect([p["version"]["release"] for p in json.loads(run("inspect", "--json", "for.bin"))["files"][0]["programs"]] == ["1.7.0"],
           "--for converts the programs of a container")

    # A folder stays one.
    run("-o", "copy", "--target=1.0.0", "--allow-outside-window", "model")
    expect(read("copy/variables/variables.index") == b"weights", "the rest of the folder is copied")
    expect(b"StableHLO_v1.0.0" in read("copy/saved_model.pb"), "the program in the folder is converted")
    run("-o", "copy", "model", code=2, err="the output folder is not empty")
    run("-o", "copy", "copy")
    run("-o", "alone.pb", "model")
    expect(read("alone.pb") == read("model/saved_model.pb"), "a .pb file is written alone")
    run("-o", "no/such/copy", "model", code=4, err="cannot create the folder: No such file or directory")
    os.symlink("nowhere", "link")
    run("-o", "link", "model", code=4, err="cannot rename the temporary folder: Not a directory")
    expect(not list(pathlib.Path(".").glob("*.shlo-*")), "temporary folders are removed")
    os.mkdir("empty")
    run("eval", "empty", code=4, err="it has no saved_model.pb")
    run("verify", "empty", code=2, err="found no programs")

    # The signature.
    run("inspect", "one.bin", out="in  args[0]['w']: f32[n, 2*n] sharded \"['x'] on {x: 4, y: 2}\"")
    run("inspect", "host.bin", out="in  args[0]['w']: f32[n, 2*n] in memory of host sharded HLO sharding")
    container = json.loads(run("inspect", "--json", "one.bin"))["files"][0]["container"]
    expect(container["signatures"][0]["inputs"][0]["shape"] == ["n", "2*n"], "shape as JSON")
    expect(container["programs"][0]["devices"] == 8, "devices as JSON")
    run("inspect", "model", out="out y: bf16[4]")

    # Files of other formats.
    pathlib.Path("x.gz").write_bytes(gzip.compress(b"module {}"))
    run("verify", "x.gz", code=3, err="the file is a gzip archive")
    run("verify", tool, code=3, err="the file is an ELF binary")
    pathlib.Path("bom.mlir").write_bytes(b"\xef\xbb\xbfmodule {}")
    run("verify", "bom.mlir", code=3, err="UTF-8 byte order mark")
    pathlib.Path("cut.bin").write_bytes(read("one.bin")[:-200])
    run("verify", "cut.bin", code=3, err="malformed jax.export file")
    pathlib.Path("cut.pb").write_bytes(read("single.pb")[:-200])
    run("verify", "cut.pb", code=3, err="malformed SavedModel")


if __name__ == "__main__":
    sys.exit(main())
