#!/usr/bin/env python3
"""Compares what `check` says of consumers with what they do: released jaxlibs from PyPI, of each all deserializers.

  consumer_peer.py TOOL --programs DIR [--for C,C,...] [--match RE] [--verbose]
  consumer_peer.py TOOL --dialects [--jaxlib V,V,...]
  consumer_peer.py TOOL --compiled [--jaxlib V,V,...]

The first form takes a folder of folders with shipped.mlirbc. WEEK_12 and other versions are read by the first jaxlib
with that release. For each program and consumer:

  passes   `check` has neither of the next two: --for=CONSUMER converts, and every deserializer reads the artifact and,
           as a control of the last line, the same program as VHLO text, which states no version to refuse
  partly   consumer-partly-blocked: --for=CONSUMER converts, and exactly one deserializer reads the artifact
  blocked  consumer-blocked: --for=CONSUMER refuses, and so does every deserializer. It is given the program in the version
           of the consumer if that can hold it (other dialects allowed), and otherwise as VHLO text of the oldest version
           that can

Other rules, such as unknown-dialect, say nothing of a consumer.

The second form lets each jaxlib of schema/consumers.inc read an op of each dialect that MLIR programs mix in, and compares
the dialects whose ops each deserializer reads with those of the table. The third lets each jaxlib compile an op of each thing
that the table says some jaxlib reads and cannot compile. Exit code 1 if anything differs.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import wheels

# Rules that speak of consumers, and what their findings mean; the first one decides.
VERDICTS = {"consumer-blocked": "blocked", "consumer-partly-blocked": "partly"}
FORCE = ["--allow-outside-window", "--allow-other-dialects"]
UNARY = '"func.func"() ({{^bb0(%a: tensor<4xf32>):\n  {}\n  "func.return"(%a) : (tensor<4xf32>) -> ()\n}}) ' \
        '{{function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = "main"}} : () -> ()\n'
SAMPLES = {
    "arith": '%0 = "arith.addf"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>',
    "cf": '%p = stablehlo.constant dense<true> : tensor<i1>\n  %0 = "tensor.extract"(%p) : (tensor<i1>) -> i1\n  "cf.assert"(%0) {msg = "m"} : (i1) -> ()',
    "chlo": '%0 = "chlo.erf"(%a) : (tensor<4xf32>) -> tensor<4xf32>',
    "complex": '%0 = "complex.constant"() {value = [1.0 : f32, 2.0 : f32]} : () -> complex<f32>',
    "math": '%0 = "math.erf"(%a) : (tensor<4xf32>) -> tensor<4xf32>',
    "mhlo": '%0 = "mhlo.copy"(%a) : (tensor<4xf32>) -> tensor<4xf32>',
    "sdy": '%0 = "sdy.sharding_constraint"(%a) {sharding = #sdy.sharding<mesh<["x"=2]>, [{"x"}]>} : (tensor<4xf32>) -> tensor<4xf32>',
    "scf": '%0 = "scf.execute_region"() ({ "scf.yield"(%a) : (tensor<4xf32>) -> () }) : () -> tensor<4xf32>',
    "shape": '%0 = "shape.shape_of"(%a) : (tensor<4xf32>) -> tensor<1xindex>',
    "tensor": '%0 = "tensor.cast"(%a) : (tensor<4xf32>) -> tensor<?xf32>',
    "ub": '%0 = "ub.poison"() {value = #ub.poison} : () -> tensor<4xf32>',
}


CONTROL = "control"  # a program without such an op


class Tool:
    def __init__(self, path):
        self.path, self.folder = path, pathlib.Path(tempfile.mkdtemp(prefix="consumers-"))

    def run(self, *args):
        return subprocess.run([self.path, *map(str, args)], capture_output=True, text=True)

    def json(self, *args):
        return json.loads(self.run(*args, "--json").stdout)

    def convert(self, name, source, *args):
        """The path of the output, or None if the tool refuses."""
        out = self.folder / name
        return out if self.run(*args, "-o", out, source).returncode == 0 else None


def short(text):
    return re.sub(r'loc\([^)]*\): |error: ', "", text)[:160]


class Agreement:
    """One consumer."""

    def __init__(self, tool, args, consumer):
        self.tool, self.args, self.consumer, self.jobs = tool, args, consumer, []
        probe = tool.folder / "probe.mlir"
        probe.write_text("func.func @main() {\n  return\n}\n")
        converted = tool.json(f"--for={consumer}", "--allow-outside-window", "-o", tool.folder / "probe.out", probe)
        if converted["exit"]:
            sys.exit(f"{consumer}: {converted['diagnostics'][0]['message']}")
        self.release = converted["files"][0]["programs"][0]["to"]["release"]
        requirement = re.fullmatch(r"jax(lib)?==(.+)", consumer)
        minor = [v for v, (release, *_) in wheels.known().items() if wheels.numbers(release)[:2] == wheels.numbers(self.release)[:2]]
        if not requirement and not minor:
            sys.exit(f"{consumer}: no jaxlib has {self.release}")
        self.jaxlib = requirement[2] if requirement else minor[0]

    def add(self, name, program):
        tool, to = self.tool, ["--allow-outside-window", f"--for={self.consumer}"]
        checked = tool.json("check", "--no-policy", f"--for={self.consumer}", program)
        file = checked["files"][0]
        found = {rule: [f["diagnostic"]["message"] for f in file["findings"] if f["rule"] == rule] for rule in VERDICTS}
        verdict = next((rule for rule in VERDICTS if found[rule]), None)
        job = {"name": name, "verdict": VERDICTS.get(verdict, "passes"), "wrong": "" if file["checked"] else "is not checked"}
        job["why"] = found[verdict][0] if verdict else ""
        artifact = tool.convert(f"{name}.mlirbc", program, *to, "--emit=mlirbc")
        if job["verdict"] != "blocked":
            job["artifact"], job["text"] = artifact, tool.convert(f"{name}.mlir", program, *to, "--emit=vhlo")
            if not artifact or not job["text"]:
                job["wrong"] = "--for refuses"
        else:
            job["artifact"], job["text"] = tool.convert(f"{name}.mlirbc", program, f"--target={self.release}", *FORCE, "--emit=mlirbc"), None
            if artifact:
                job["wrong"] = "--for converts"
            elif not job["artifact"]:
                lowest = tool.json("inspect", program)["files"][0]["programs"][0]["lowest_target"]
                job["text"] = lowest and tool.convert(f"{name}.mlir", program, f"--target={lowest['n']}", *FORCE, "--emit=vhlo")
                if not job["text"]:
                    job["wrong"] = "no version has a form"
        self.jobs.append(job)

    def compare(self):
        wheel = wheels.Wheel(self.args.cache, self.jaxlib)
        if wheel.problem:
            sys.exit(f"{self.consumer}: jaxlib {self.jaxlib}: {wheel.problem}")
        said = wheel.read([path for job in self.jobs for path in (job["artifact"], job["text"]) if path])
        for job in self.jobs:
            artifact, text = ([*said[str(job[form])].values()] if job[form] else [] for form in ("artifact", "text"))
            job["said"] = next((short(x) for x in artifact + text if x), "")
            if job["wrong"]:
                continue
            right = {"passes": not any(artifact + text), "partly": sum(map(bool, artifact)) == 1, "blocked": all(artifact + text)}
            if not right[job["verdict"]]:
                job["wrong"] = f"check: {job['verdict']} ({job['why']}); readers: {artifact + text}"
        wrong = [job for job in self.jobs if job["wrong"]]
        cells = []
        for verdict, what in (("passes", "all read"), ("partly", "one reads"), ("blocked", "all refuse")):
            jobs = [job for job in self.jobs if job["verdict"] == verdict]
            cells.append(f"{verdict} {len(jobs):2} ({what} {sum(not job['wrong'] for job in jobs):2})")
        print(f"{self.consumer:16} {self.release:7} jaxlib {self.jaxlib:8} {'   '.join(cells)}   disagreements {len(wrong)}", flush=True)
        for job in self.jobs:
            if job["wrong"]:
                print(f"  {job['name']}: {job['wrong']}")
            elif job["verdict"] != "passes" and self.args.verbose:
                print(f"  {job['name']}: {job['why']}\n    {job['said']}")
        return len(wrong)


def agree(tool, args):
    programs = [p for p in sorted(pathlib.Path(args.programs).glob("*/shipped.mlirbc")) if re.search(args.match, p.parent.name)]
    if not programs:
        sys.exit(f"{args.programs} has no programs")
    wrong = 0
    for consumer in args.consumers.split(","):
        agreement = Agreement(tool, args, consumer)
        for program in programs:
            agreement.add(program.parent.name, program)
        wrong += agreement.compare()
    return wrong


def wheels_for(args):
    """Yields (version, wheel, row of the table) of the jaxlibs that are asked for and run here."""
    for jaxlib, row in wheels.known().items():
        if args.jaxlib and jaxlib not in args.jaxlib.split(","):
            continue
        wheel = wheels.Wheel(args.cache, jaxlib)
        if wheel.problem:
            print(f"jaxlib {jaxlib}: skipped: {wheel.problem}")
        else:
            yield jaxlib, wheel, row


def dialects(tool, args):
    wrong, samples = 0, {}
    for name, op in {**SAMPLES, CONTROL: ""}.items():
        samples[name] = tool.folder / f"{name}.in.mlir"
        samples[name].write_text(UNARY.format(op))
    for jaxlib, wheel, (release, recorded, _) in wheels_for(args):
        paths = {name: tool.convert(f"{name}.mlirbc", path, f"--target={release}", *FORCE, "--emit=mlirbc") for name, path in samples.items()}
        refused = sorted(name for name, path in paths.items() if not path)
        said = wheel.read([path for path in paths.values() if path])
        line = f"jaxlib {jaxlib:8} {release:7}"
        for reader, names in recorded.items():
            reads = {name for name, path in paths.items() if path and not said[str(path)][reader]}
            right = reads == names | {CONTROL}
            wrong += not right
            line += f"  {reader}: {' '.join(sorted(reads - {CONTROL})) or '-' if CONTROL in reads else 'no program'}" + ("" if right else f" (the table: {' '.join(sorted(names))})")
        wrong += bool(refused)
        print(line + (f"; the tool refuses {' '.join(refused)}" if refused else ""), flush=True)
    return wrong


# Each op gives %r, the result of the function.
CONVERT = "%0 = stablehlo.convert %a : (tensor<4xf32>) -> tensor<4x{0}>\n  %r = stablehlo.convert %0 : (tensor<4x{0}>) -> tensor<4xf32>"
COMPILED = {
    "stablehlo.composite@0.19.0": '%r = stablehlo.composite "a.b" %a {decomposition = @d} : (tensor<4xf32>) -> tensor<4xf32>',
    "stablehlo.gather@1.1.0": '%m = stablehlo.reshape %a : (tensor<4xf32>) -> tensor<2x2xf32>\n  %i = stablehlo.constant dense<0> : tensor<2x1xi32>\n'
                              '  %r = "stablehlo.gather"(%m, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], operand_batching_dims = [0], '
                              "start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : "
                              "(tensor<2x2xf32>, tensor<2x1xi32>) -> tensor<2x1xf32>",
    "stablehlo.scatter@1.1.0": '%m = stablehlo.reshape %a : (tensor<4xf32>) -> tensor<2x2xf32>\n  %i = stablehlo.constant dense<0> : tensor<2x1xi32>\n'
                               "  %u = stablehlo.constant dense<1.0> : tensor<2x1xf32>\n"
                               '  %r = "stablehlo.scatter"(%m, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], '
                               "input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> "
                               "({\n  ^bb0(%p: tensor<f32>, %q: tensor<f32>):\n    %s = stablehlo.add %p, %q : tensor<f32>\n    "
                               "stablehlo.return %s : tensor<f32>\n  }) : (tensor<2x2xf32>, tensor<2x1xi32>, tensor<2x1xf32>) -> tensor<2x2xf32>",
    "stablehlo.dot_general@1.6.0": '%r = "stablehlo.dot_general"(%a, %a) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], '
                                   "rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], "
                                   "algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, "
                                   "lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>}> : "
                                   "(tensor<4xf32>, tensor<4xf32>) -> tensor<f32>",
}
DECOMPOSITION = "func.func private @d(%a: tensor<4xf32>) -> tensor<4xf32> {\n  return %a : tensor<4xf32>\n}\n"


def compiled(tool, args):
    wrong, things = 0, {thing for _, _, uncompiled in wheels.known().values() for thing in uncompiled}
    samples = {}
    for thing in sorted(things) + [CONTROL]:
        samples[thing] = tool.folder / f"{thing}.compiled.mlir"
        op = "%r = stablehlo.abs %a : tensor<4xf32>" if thing == CONTROL else COMPILED.get(thing) or CONVERT.format(thing)
        result = re.search(r"tensor<[^>]*>$", op)[0]
        samples[thing].write_text(f"func.func @main(%a: tensor<4xf32>) -> {result} {{\n  {op}\n  return %r : {result}\n}}\n{DECOMPOSITION}")
    for jaxlib, wheel, (release, _, uncompiled) in wheels_for(args):
        # Nothing is said of what the release cannot represent.
        paths = {thing: tool.convert(f"{thing}.{release}.mlirbc", path, f"--target={release}", *FORCE, "--emit=mlirbc") for thing, path in samples.items()}
        said = wheel.compile([str(path) for path in paths.values() if path])
        # Another backend may have what that of the processor lacks.
        fails = {thing for thing, path in paths.items() if path and said[str(path)] and not re.search("XLA:CPU|backends/cpu", said[str(path)])}
        right = fails == uncompiled
        wrong += not right
        print(f"jaxlib {jaxlib:8} {release:7}  cannot compile: {' '.join(sorted(fails)) or '-'}" +
              ("" if right else f" (the table: {' '.join(sorted(uncompiled)) or '-'})"), flush=True)
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("--programs")
    parser.add_argument("--for", dest="consumers", default="jaxlib==0.4.30,jaxlib==0.7.0,WEEK_12")
    parser.add_argument("--match", default=".")
    parser.add_argument("--dialects", action="store_true")
    parser.add_argument("--compiled", action="store_true")
    parser.add_argument("--jaxlib")
    parser.add_argument("--cache", default="build/timemachine")
    parser.add_argument("--verbose", action="store_true", help="print what blocks a program, and what the consumer says of it")
    args = parser.parse_args()
    if not args.dialects and not args.compiled and not args.programs:
        parser.error("pass --programs, --dialects or --compiled")
    sys.exit(bool((dialects if args.dialects else compiled if args.compiled else agree)(Tool(args.tool), args)))


main()
