#!/usr/bin/env python3
"""Checks certificates on the command line: written, verified, carried, and refused if they were changed.

    certificates_test.py TOOL PROGRAMS
"""
import hashlib
import json
import os
import pathlib
import sys

import tool_checks


def main():
    tool, programs = map(os.path.abspath, sys.argv[1:])
    programs = sorted(pathlib.Path(programs).glob("*.mlir"))
    assert programs
    return tool_checks.Checks(tool).main(lambda run, expect: check_all(run, expect, programs), f"{len(programs)} programs, ")


def check_all(run, expect, programs):
    # Every program, down and in every format.
    for path in programs:
        for output in "a.mlirbc", "a.shlo", "a.mlir":
            run("--prove", "--at-least=laws", "--certificate=c.json", "-o", output, "--expand", "--target=1.0.0",
                "--allow-outside-window", path)
            run("prove", "--check=c.json", "--at-least=laws", path, output, out="the certificate holds")
            run("prove", "--check=c.json", output, path, code=1, err="about another first file")
        run("--prove=carry", "-o", "carried.shlo", path)
        run("prove", "--check=carried.shlo", path, "carried.shlo", out="the certificate holds")
        run("verify", "carried.shlo")
        run("--prove", "--fold", "-o", "folded.mlir", "--at-least=sampled", path)

    a = programs[0]
    run("-o", "b.mlirbc", a)
    run("prove", a, "b.mlirbc", "--certificate=c.json")
    first = pathlib.Path("c.json").read_bytes()
    run("prove", a, "b.mlirbc", "--certificate=c.json")
    expect(pathlib.Path("c.json").read_bytes() == first, "the same certificate twice")
    document = json.loads(run("prove", "--check=c.json", "--json", a, "b.mlirbc"))
    expect(document["holds"] and document["op_count"] > 0 and document["not_covered"] == [], "a check as JSON")

    # As a statement: the digests are those of the files.
    run("prove", a, "b.mlirbc", "--certificate=s.json", "--in-toto")
    statement = json.loads(pathlib.Path("s.json").read_text())
    for subject, path in zip(statement["subject"], (a, "b.mlirbc")):
        digest = hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()
        expect(subject == {"name": pathlib.Path(path).name, "digest": {"sha256": digest}}, f"subject {path}")
    expect(statement["predicate"] == json.loads(first), "the statement holds the certificate")
    run("prove", "--check=s.json", a, "b.mlirbc")
    statement["subject"][1]["digest"]["sha256"] = "0" * 64
    pathlib.Path("f.json").write_text(json.dumps(statement))
    run("prove", "--check=f.json", a, "b.mlirbc", code=3, err="the subjects of the statement are not the programs")

    # Changed certificates, and other files.
    def forged(change):
        document = json.loads(first)
        change(document)
        pathlib.Path("f.json").write_text(json.dumps(document))
        return "f.json"

    def swap(document):
        (number, to, count), = document["matches"]
        document["matches"] = [[number, to, count - 1], [number + count - 1, to, 1]]

    run("prove", "--check", forged(swap), a, "b.mlirbc", code=1, err="the certificate does not hold")
    run("prove", "--check", forged(lambda d: d["matches"].clear()), a, "b.mlirbc", code=1, err="are matched")
    run("prove", "--check", forged(lambda d: d.update(form="other")), a, "b.mlirbc", code=1, err="is not known")
    def uncover(document):
        document["functions"][0]["evidence"] = "none"
        document.update(form="", laws=[], matches=[], repeats=[])

    run("prove", "--check", forged(uncover), a, "b.mlirbc", code=1, out="not covered")
    # Its statements about itself are compared, too.
    holds = "the certificate does not hold: "
    for change, message in ((lambda d: d.update(producer="shlo-compat 9.9.9"), "its producer is 'shlo-compat 9.9.9'"),
                            (lambda d: d.update(producer=""), "its producer is ''"),
                            (lambda d: d["programs"][0].update(version=1), holds + "it states version 1 for the first program"),
                            (lambda d: d["programs"][1].update(name="c.mlirbc"), "names the second file 'c.mlirbc', and its name is 'b.mlirbc'"),
                            (lambda d: d["programs"][1].update(content_hash="x"), "about another second file"),
                            (lambda d: d["functions"].append(d["functions"][0]), holds + "it states @main twice"),
                            (lambda d: d["functions"][0].update(evidence="exhaustive") or d.update(seed=1, max_inputs=1),
                             "is exhaustive, with 0 input sets"),
                            (lambda d: d["functions"][0].update(inputs=1), "with 1 input set")):
        run("prove", "--check", forged(change), a, "b.mlirbc", code=1, err=message)
    for change in (lambda d: d.update(seed=1), lambda d: d.update(extra=1), lambda d: d["programs"][0].update(size=1)):
        run("prove", "--check", forged(change), a, "b.mlirbc", code=3, err="not a certificate: a member has an unknown name")
    other = json.loads(first)
    for law in other["laws"]:
        for rung in range(8):
            law["rungs"][rung] += 1
            pathlib.Path("f.json").write_text(json.dumps(other))
            run("prove", "--check=f.json", a, "b.mlirbc", code=1, err="has not reached the rungs it states")
            law["rungs"][rung] -= 1
    run("prove", "--check", forged(lambda d: d.update(format_version=2)), a, "b.mlirbc", code=3,
        err="expected 'format_version' 1")
    run("prove", "--check", forged(lambda d: d["matches"].append([-1, 2, 3])), a, "b.mlirbc", code=3)
    run("prove", "--check", a, a, "b.mlirbc", code=3, err="not a certificate")
    run("prove", "--check", "b.mlirbc", a, "b.mlirbc", code=3, err="not a certificate")
    run("-o", "plain.shlo", a)
    run("prove", "--check=plain.shlo", a, "plain.shlo", code=3, err="carries no certificate")
    run("prove", "--check=none.json", a, a, code=4)

    # Different programs get neither a certificate nor an output.
    run("prove", a, programs[1], "--certificate=none.json", code=1, err="no certificate")
    expect(not os.path.exists("none.json"), "no certificate of different programs")
    pathlib.Path("sum.mlir").write_text(
        "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
        "  %c = stablehlo.constant dense<1.5> : tensor<4xf32>\n"
        "  %d = stablehlo.ceil %c : tensor<4xf32>\n"
        "  %0 = stablehlo.add %a, %d : tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n")
    run("--prove", "--fold", "--at-least=laws", "sum.mlir", "-o", "out.mlir", code=1, err="is not proved equal")
    expect(not os.path.exists("out.mlir"), "no output without a proof")
    run("--prove", "--fold", "--certificate=c.json", "sum.mlir", "-o", "out.mlir")
    run("prove", "--check=c.json", "sum.mlir", "out.mlir", out="evaluated again")
    document = json.loads(pathlib.Path("c.json").read_text())
    document["functions"][0]["inputs"] = 2
    pathlib.Path("f.json").write_text(json.dumps(document))
    run("prove", "--check=f.json", "sum.mlir", "out.mlir", code=1, err="the certificate does not hold: @main was "
        "evaluated again, with another outcome than exhaustive by 2 input sets")
    run("prove", "--check=c.json", "sum.mlir", "out.mlir", "--at-least=laws", code=1, out="not enough for --at-least=laws")

    run("--prove=carry", a, "-o", "x.mlirbc", code=2, err="only a .shlo file can carry")
    run("--prove=no", a, code=2, err="--prove=no is not known")
    pathlib.Path("two.mlir").write_text("func.func @a() { return }\n// -----\nfunc.func @b() { return }\n")
    run("--prove", "two.mlir")
    run("--certificate=c.json", "two.mlir", code=2, err="one program each")


if __name__ == "__main__":
    sys.exit(main())
