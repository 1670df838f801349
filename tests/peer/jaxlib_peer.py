#!/usr/bin/env python3
"""Compares this project's tools with jaxlib, which contains the reference, on generated programs.

    jaxlib_peer.py --tools DIR [--count N] [--seed S] [--parts PART,...] [--targets V,...] [--list]

DIR holds the drop-in tools (build/release/bin/dropin). Both parse every program (tests/generator); then
  print         both print the same text: plain, with debug information, in local scope, and generic;
  verify        both accept it, and both accept or both reject a copy with one mutation (equal messages are
                counted but not required, because the wording of syntax errors is ours);
  bytes         for each target that the peer knows, both write the same bytes, or both fail;
  raw           both read and write the same StableHLO bytecode without VHLO;
and with bytes
  read          both deserialize the peer's artifact, and ours if it differs, and print the same.
Prints every difference with its class; differences with a known cause (KNOWN) are counted by cause. Which StableHLO
release the peer holds is asked at run time. Needs jax and jaxlib: `./dev peer` installs them. The last line is the
count; exit code 1 if a difference without a known cause remains, 2 if jaxlib is missing.
"""
import argparse
import collections
import io
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "generator"))
TARGETS = ["0.9.0", "1.0.0", "1.8.0", "1.12.0", "1.20.0", "1.21.0", "newest"]
PARTS = ["print", "verify", "bytes", "raw"]
FORMS = {
    "plain": ([], {}),
    "debuginfo": (["-mlir-print-debuginfo"], {"enable_debug_info": True}),
    "local scope": (["-mlir-print-local-scope"], {"use_local_scope": True}),
    "generic": (["-mlir-print-op-generic"], {"print_generic_op_form": True}),
}

# Class of a difference, a pattern for what it says, and why it is not a fault of ours; what only older peers have ends
# with the first release whose peer does not.
KNOWN = [
    ("", r"result_tilings|is_stable", "newer than jaxlib's StableHLO", "1.18.0"),
    ("", r"has_dynamic_root", "newer than jaxlib's StableHLO", "1.20.0"),
    ("bytes: only we refuse", r"xindex>", "jaxlib folds ops of other dialects on the way"),
    ("bytes: different", r"shape\.to_extent_tensor", "jaxlib folds ops of other dialects on the way"),
    ("read: different", r"shape\.to_extent_tensor", "jaxlib folds ops of other dialects on the way"),
    ("", r"terminator operand 0 is not ranked", "jaxlib cannot read a chlo.scan whose body is portable"),
    ("verify: only the peer refuses", r"unregistered operation 'chlo", "unknown ops of chlo are let in here"),
    ("the peer crashed", r"unrealized_conversion_cast", "jaxlib crashes on casts that the program had before"),
    ("the peer crashed", r" shape\.", "jaxlib crashes when it folds ops of the dialect shape"),
]


# Missing in jaxlib: dialects of the reference's tests, and quantization.
MISSING = r'"(?:check|interpreter|ml_program)\.|!quant\.'


def program(seed):
    """Every other program has only StableHLO ops."""
    from generate import RECIPES, make_program
    names = [name for name in RECIPES if name.startswith("stablehlo.")] if seed % 2 else None
    return make_program(seed, names=names)[0]


def number(release):
    return [int(n) for n in release.split(".")]


def tool_json(tools, *command):
    """Returns the versions or ops of the tool; `tools` is the folder of its drop-ins."""
    tool = os.path.join(tools, "..", "shlo-compat")
    return json.loads(subprocess.run([tool, *command, "--json"], capture_output=True, check=True).stdout)


class Peer:
    """jaxlib in this process."""

    def __init__(self):
        from jax._src.interpreters import mlir
        from jaxlib.mlir import ir
        from jaxlib.mlir.dialects import stablehlo
        self.ir, self.stablehlo, self.make_context = ir, stablehlo, mlir.make_ir_context
        self.release = stablehlo.get_current_version()

    def knows(self, release):
        return number(release) <= number(self.release)

    def compare_with(self, tools):
        """Ends the comparison with a tool that does not know the peer's version yet."""
        newest = tool_json(tools, "versions")["versions"][-1]["release"]
        if number(self.release) > number(newest):
            sys.exit(f"the peer holds StableHLO {self.release}, but the tool knows only {newest}: add the newer "
                     "releases, see docs/next-release.md")

    def context(self):
        context = self.make_context()
        self.stablehlo.register_dialect(context)
        context.load_all_available_dialects()
        context.allow_unregistered_dialects = True
        self.said = []
        context.attach_diagnostic_handler(lambda d: self.said.append(d.message) or True)
        return context

    def parse(self, text):
        """Returns the module, or None and an error."""
        try:
            return self.ir.Module.parse(text), None
        except self.ir.MLIRError as error:
            return None, (error.error_diagnostics[0].message if error.error_diagnostics else str(error))
        except Exception as error:  # from the Python binding
            return None, str(error)

    def serialize(self, module, target, mixed):
        self.said.clear()
        try:
            return self.stablehlo.serialize_portable_artifact(module, target, mixed), None
        except Exception as error:
            return None, self.said[0] if self.said else str(error)

    def deserialize(self, context, artifact):
        self.said.clear()
        try:
            module = self.stablehlo.deserialize_portable_artifact(context, artifact)
            return module.operation.get_asm() if module else None, None
        except Exception as error:
            return None, self.said[0] if self.said else str(error)


def run(command, data=None):
    done = subprocess.run(command, input=data, capture_output=True, timeout=120)
    return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace")


def same_but_spaces(ours, peers):
    """jaxlib's MLIR puts one space before an enum where the one of StableHLO 1.20.0 puts two."""
    return re.sub(r"(?<=\S)  +", " ", ours) == re.sub(r"(?<=\S)  +", " ", peers)


def after_producer(artifact):
    """Returns the bytes after the producer string."""
    return artifact[artifact.index(b"\0", 5) + 1:]


def first_difference(ours, peers):
    a, b = ours.splitlines(), peers.splitlines()
    for x, y in zip(a, b):
        if not same_but_spaces(x, y):
            return f"ours: {x.strip()[:1000]} | peer: {y.strip()[:1000]}"
    return f"ours has {len(a)} lines, the peer {len(b)}"


DAMAGES = [(r"\d+", lambda r, old: str(r.choice([0, 1, 2, 3, 5, 7, 64, 1 << 40]))),
           (r"\b(?:f32|f64|i32|i64|i1|bf16|ui8)\b", lambda r, old: r.choice(["f32", "i32", "i1", "f64", "ui8", "i64"])),
           (r"%\w+", lambda r, old: None),
           (r"x\?", lambda r, old: "x4"),
           (r"true|false", lambda r, old: "true" if old == "false" else "false")]


def damaged(text, rng):
    """Returns the text with one number, type, operand or flag of its body replaced."""
    for _ in range(20):
        pattern, replace = rng.choice(DAMAGES)
        places = list(re.finditer(pattern, text))
        if not places:
            continue
        place = rng.choice(places)
        new = replace(rng, place.group())
        if new is None:
            new = rng.choice(places).group()
        if new != place.group():
            return text[:place.start()] + new + text[place.end():]
    return text


class Comparison:
    def __init__(self, peer, tools, folder, targets, found):
        self.peer, self.folder, self.found = peer, folder, found
        self.others = []  # ops of other dialects in the program
        self.generic = False  # has ops whose custom form only the peer knows, so the peer prints our text
        self.opt, self.translate = os.path.join(tools, "stablehlo-opt"), os.path.join(tools, "stablehlo-translate")
        self.targets = sorted({peer.release if t == "newest" else t for t in targets}, key=number)
        self.targets = [t for t in self.targets if peer.knows(t)]

    def file(self, name, content):
        path = os.path.join(self.folder, name)
        pathlib.Path(path).write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def step(self, name):
        print(json.dumps(["step", name]), flush=True)

    def note(self, kind, where="", detail=""):
        self.found(kind, where, detail)

    def prints(self, module, path):
        for form, (flags, options) in FORMS.items():
            code, out, err = run([self.opt, "-allow-unregistered-dialect", *flags, path])
            # The tool adds a newline, and locations with the file name, which the peer does not know.
            ours = out.decode("utf-8", "replace").replace(f'"{path}"', '"-"').rstrip("\n")
            peers = module.operation.get_asm(**options).rstrip("\n")
            if code:
                self.note("print: we refuse", form, err.strip()[:1000])
            elif not same_but_spaces(ours, peers):
                self.note("print: different", form, first_difference(ours, peers))
            else:
                self.note("same", "print")

    def text(self, context, printed):
        """Returns our text, printed by the peer if it knows more custom forms."""
        text = printed.decode("utf-8", "replace").rstrip("\n")
        if not self.generic:
            return text
        try:
            return self.peer.ir.Module.parse(text, context).operation.get_asm().rstrip("\n")
        except Exception as error:
            return f"the peer cannot read our text: {error}"

    def verify(self, text, seed):
        self.step("reading a damaged program")
        broken = damaged(text, random.Random(seed))
        module, why = self.peer.parse(broken)
        path = self.file("broken.mlir", broken)
        code, _, err = run([self.opt, "-allow-unregistered-dialect", path])
        if bool(module) == (code == 0):
            if code:
                # The peer's parser stops at the first error; ours reports all, in file order.
                ours = re.findall(r"error: (.*)", err)
                if any(same_but_spaces(message.strip(), why.split("\n")[0].strip()) for message in ours):
                    self.note("same", "message")
                else:
                    self.note("wording", "", f"ours: {' + '.join(ours) or err[:300]} | peer: {why[:300]}")
            return self.note("same", "verify")
        if module:
            self.note("verify: only we refuse", "", err.strip().split("\n")[0][-300:])
        else:
            self.note("verify: only the peer refuses", "", why[:300])

    def read(self, context, artifact, path, where):
        self.step("deserializing " + ("our artifact" if where.endswith("(ours)") else "its own artifact"))
        peers, why = self.peer.deserialize(context, artifact)
        code, out, err = run([self.translate, "--deserialize", path])
        if peers is None or code:
            if peers is None and code:
                return self.note("same", "read")
            return self.note("read: only we refuse" if code else "read: only the peer refuses", where,
                             err.strip()[:1000] if code else why[:300])
        ours = self.text(context, out)
        if not same_but_spaces(ours, peers.rstrip("\n")):
            return self.note("read: different", where, first_difference(ours, peers.rstrip("\n")))
        self.note("same", "read")

    def bytes(self, context, stated, mixed):
        """Returns whether conversion to the newest target failed."""
        refused = False
        # File ranges were added in 1.9.0. The reference writes them for older targets, too, while we simplify them, so
        # both get a program without.
        cut = re.sub(r'(loc\("(?:[^"\\]|\\.)*":\d+:\d+) to \d*:\d+', r"\1", stated)
        paths = [self.file("stated.mlir", stated), self.file("cut.mlir", cut)]
        for target in self.targets:
            old = number(target) < [1, 9, 0]
            text, path = (cut, paths[1]) if old else (stated, paths[0])
            where = f"{target}{' mixed' if mixed else ''}"
            self.step(f"serializing for {where}")
            # A failure changes the use-list order of the peer's module, so each target gets a new module.
            theirs, why = self.peer.serialize(self.peer.parse(text)[0], target, mixed)
            out = os.path.join(self.folder, "ours.bc")
            code, _, err = run([self.translate, "--serialize", f"--target={target}",
                                f"--as-written-by={self.peer.release}", "-o", out, path]
                               + (["--allow-other-dialects"] if mixed else []))
            refused = theirs is None
            if theirs is None and code:
                self.note("same", "refusal")
            elif theirs is None:
                self.note("bytes: only the peer refuses", where, why[:300])
                self.read(context, pathlib.Path(out).read_bytes(), out, where + " (ours)")
            elif code:
                self.note("bytes: only we refuse", where, err.strip()[:1000])
            else:
                ours = pathlib.Path(out).read_bytes()
                self.note(*(("same", "bytes") if ours == theirs
                            else ("bytes: different", where, f"{len(ours)} and {len(theirs)} bytes, with "
                                  + " ".join(self.others))))
                self.read(context, theirs, self.file("theirs.bc", theirs), where)
                if ours != theirs:
                    self.read(context, ours, out, where + " (ours)")
        return refused

    def raw(self, context, module, stated):
        """Both read the other's StableHLO bytecode without VHLO."""
        self.step("writing raw bytecode")
        out = io.BytesIO()
        module.operation.write_bytecode(out)
        path = self.file("raw.bc", out.getvalue())
        code, text, err = run([self.opt, "-allow-unregistered-dialect", path])
        peers = module.operation.get_asm().rstrip("\n")
        if code:
            self.note("raw: we cannot read", "", err.strip()[:1000])
        elif not same_but_spaces(ours := self.text(context, text), peers):
            self.note("raw: we read something else", "", first_difference(ours, peers))
        else:
            self.note("same", "raw")
        code, ours, err = run([self.opt, "-allow-unregistered-dialect", "-emit-bytecode",
                              f"-as-written-by={self.peer.release}", stated])
        if code:
            return self.note("raw: we cannot write", "", err.strip()[:1000])
        theirs = io.BytesIO()
        self.peer.parse(pathlib.Path(stated).read_text())[0].operation.write_bytecode(theirs)
        if after_producer(ours) != after_producer(theirs.getvalue()):
            self.note("raw: different bytes", "", f"{len(ours)} and {len(theirs.getvalue())} bytes")
        self.step("reading our raw bytecode")
        self.peer.said.clear()
        try:
            again = self.peer.ir.Module.parse(ours, context)
        except Exception as error:
            return self.note("raw: the peer cannot read ours", "", self.peer.said[0] if self.peer.said else str(error)[:300])
        if again.operation.get_asm().rstrip("\n") != peers:
            return self.note("raw: the peer reads something else", "",
                             first_difference(again.operation.get_asm(), peers))
        self.note("same", "raw")

    def program(self, seed, text, parts):
        path = self.file("program.mlir", text)
        self.others = sorted(n for n in set(re.findall(r'"(\w+\.[\w-]+)"\(', text))
                             if n.split(".")[0] not in ("stablehlo", "func", "builtin"))
        self.step("reading the program")
        with self.peer.context() as context:
            module, why = self.peer.parse(text)
            if not module:
                return self.note("the peer cannot read the program", "", why[:300])
            self.note("program")
            if "print" in parts:
                self.prints(module, path)
            if "verify" in parts:
                self.verify(text, seed)
            # State every location, so that both write the same ones.
            stated = module.operation.get_asm(enable_debug_info=True, print_generic_op_form=True)
            if "raw" in parts:
                self.raw(context, module, self.file("stated.mlir", stated))
            if "bytes" in parts and self.bytes(context, stated, mixed=False):
                self.bytes(context, stated, mixed=True)


def work(args):
    """Runs in its own process, so that a crash of the peer affects one program only."""
    peer = Peer()
    with tempfile.TemporaryDirectory() as folder:
        for seed in map(int, args.seeds.split(",")):
            print(json.dumps(["begin", seed]), flush=True)
            found = []
            comparison = Comparison(peer, args.tools, folder, args.targets.split(","),
                                    lambda *what: found.append(what))
            comparison.program(seed, program(seed), args.parts.split(","))
            print(json.dumps(["end", seed, found]), flush=True)


def cause_of(peer, kind, detail):
    for known, pattern, cause, *first_without in KNOWN:
        if kind.startswith(known) and re.search(pattern, detail) and not any(map(peer.knows, first_without)):
            return cause
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", required=True)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--parts", default=",".join(PARTS))
    parser.add_argument("--targets", default=",".join(TARGETS))
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--list", action="store_true", help="print every difference, including those with a known cause")
    parser.add_argument("--seeds", help=argparse.SUPPRESS)  # for workers
    args = parser.parse_args()
    if not set(args.parts.split(",")) <= set(PARTS):
        parser.error(f"--parts: some of {','.join(PARTS)}")
    args.tools = os.path.abspath(args.tools)
    try:
        import jax._src.interpreters.mlir  # noqa: F401
        import jaxlib.mlir.dialects.stablehlo  # noqa: F401
    except ImportError as error:
        print(f"jaxlib_peer: {error}: run ./dev peer, which installs jax", file=sys.stderr)
        return 2
    if args.seeds:
        return work(args)
    peer = Peer()
    peer.compare_with(args.tools)
    since = {row["name"]: row["revisions"][0]["since"]["release"] for row in tool_json(args.tools, "ops")["ops"]}
    newer = [name for name, release in since.items() if release and not peer.knows(release)]
    missing = re.compile("|".join([MISSING, *(f'"{re.escape(name)}"' for name in newer)]))

    import concurrent.futures
    counts, causes, unknown = collections.Counter(), collections.Counter(), 0

    def chunk(seeds):
        """Yields results of programs; continues after one that crashes the peer."""
        results = []
        while seeds:
            done = subprocess.run([sys.executable, __file__, "--tools", args.tools, "--targets", args.targets,
                                   "--parts", args.parts, "--seeds", ",".join(map(str, seeds))], capture_output=True, text=True)
            last, step = seeds[0], ""
            for line in done.stdout.splitlines():
                record = json.loads(line)
                if record[0] == "step":
                    step = record[1]
                    continue
                last = record[1]
                if record[0] == "end":
                    results.append((record[1], record[2]))
            if done.returncode == 0:
                break
            others = " ".join(sorted(set(re.findall(r'"(\w+\.[\w-]+)"\(', program(last)))))
            results.append((last, [("the peer crashed", step, f"with {others} {done.stderr.strip()[-300:]}")]))
            seeds = seeds[seeds.index(last) + 1:]
        return results

    seeds, seed = [], args.seed
    while len(seeds) < args.count:
        if not missing.search(program(seed)):
            seeds.append(seed)
        seed += 1
    chunks = [seeds[i:i + 50] for i in range(0, len(seeds), 50)]
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for results in pool.map(chunk, chunks):
            for seed, found in results:
                for what in found:
                    kind, where, detail = (list(what) + ["", ""])[:3]
                    if kind == "same":
                        counts[where] += 1
                        continue
                    if kind in ("program", "wording"):
                        counts[kind] += 1
                        if kind == "wording" and args.list:
                            print(f"program {seed}: different message: {detail}", flush=True)
                        continue
                    cause = cause_of(peer, kind, detail)
                    causes[cause or f"not known: {kind}"] += 1
                    unknown += cause is None
                    if cause is None or args.list:
                        print(f"program {seed}: {kind}{' (' + where + ')' if where else ''}: {detail[:600]}", flush=True)
    for cause, count in causes.most_common():
        print(f"{count:6} {cause}")
    print(f"{counts['program']} of {args.count} programs, peer {peer.release}, {args.targets}: the same {counts['bytes']} artifacts and "
          f"{counts['refusal']} refusals, {counts['read']} read, {counts['raw']} raw, {counts['print']} printed, "
          f"{counts['verify']} damaged ({counts['message']} with the same message, {counts['wording']} with another); {sum(causes.values())} differences, {unknown} of no known cause")
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
