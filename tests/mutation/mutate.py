#!/usr/bin/env python3
"""Plants mistakes in lib/ and counts those that the tests find.

    mutate.py [--count N] [--seed S] [--folder DIR] [--only REGEX] [--jobs N] [--at-least PERCENT] [--list]

A mutant changes one place: a comparison, an operator, a number, a condition, a returned value, a call. All are
compiled into one copy of the sources, and the environment chooses one. First the tests say which mutants they reach;
then each mutant runs the tests that do, fastest first, until one fails. tests/mutation/equivalent.txt lists mutants
that change nothing, by file and text, with the reason; they are not counted.
Needs libclang for Python (Debian: python3-clang).
"""
import argparse
import collections
import concurrent.futures
import functools
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

import clang.cindex as cindex

ROOT = pathlib.Path(__file__).resolve().parents[2]
EQUIVALENT = ROOT / "tests/mutation/equivalent.txt"
COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
ARITHMETIC = {"+": "-", "-": "+", "*": "+", "/": "*", "%": "+", "<<": ">>", ">>": "<<", "|": "&", "&": "|", "^": "|"}
LOGIC = {"&&": "||", "||": "&&"}
MUTATED = (cindex.CursorKind.BINARY_OPERATOR, cindex.CursorKind.INTEGER_LITERAL, cindex.CursorKind.IF_STMT,
           cindex.CursorKind.RETURN_STMT, cindex.CursorKind.COMPOUND_STMT)
# Tests that run no mutated code, or trace processes.
NOT_RUN = re.compile(r"^(install|wrong_rows|faults|archive_faults|kill|laws|planted_mistakes|text_checks|diagnostics_listing|readme)$")


def main():
    args = parse_arguments()
    folder = pathlib.Path(args.folder).resolve()
    build = folder / "build"
    prepare(folder, build)
    mutants = choose(folder, build, args)
    if args.list:
        for mutant in mutants:
            print(mutant["what"])
        return 0
    mutants = compiled(folder, build, mutants, args.jobs)
    tests = tests_of(build)
    note_reached(tests, mutants, args.jobs)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for mutant, killer in zip(mutants, pool.map(lambda m: killer_of(m, tests), mutants)):
            mutant["killer"] = killer
    return report(mutants, args)


def parse_arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", default=str(ROOT / "build/mutate"))
    parser.add_argument("--only", default="", help="paths below lib/")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--at-least", type=float, default=0)
    parser.add_argument("--list", action="store_true", help="list the mutants only")
    return parser.parse_args()


def run(command, log):
    with open(log, "w") as out:
        if subprocess.run([str(word) for word in command], stdout=out, stderr=subprocess.STDOUT).returncode != 0:
            sys.exit(f"mutate: {command[0]} failed; see {log}")


def prepare(folder, build):
    """Makes a copy of the sources as they are now; unchanged files keep their times."""
    files = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                           capture_output=True, check=True).stdout.decode().split("\0")
    for path in [path for path in (folder / "src").rglob("*") if path.is_file()]:
        if not (ROOT / path.relative_to(folder / "src")).exists():
            path.unlink()
    for name in filter(None, files):
        source, target = ROOT / name, folder / "src" / name
        if not source.is_file() or target.is_file() and target.read_bytes() == original(name):
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(original(name))
        target.chmod(source.stat().st_mode)
    launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
    flags = f"-std=c++20 -O1 -Wno-c++11-narrowing -include {folder}/src/tests/mutation/mutant.h"
    run(["cmake", "-S", folder / "src", "-B", build, "-G", "Ninja", "-DCMAKE_CXX_COMPILER=clang++", "-DCMAKE_BUILD_TYPE=None",
         f"-DCMAKE_CXX_FLAGS={flags}", "-DSHLO_BUILD_BENCH=OFF", "-DSHLO_STATIC_TOOL=OFF",
         "-DSHLO_WARNINGS_AS_ERRORS=OFF",
         "-DSHLO_UNITS=OFF", *launcher], folder / "configure.log")
    run(["cmake", "--build", build, "--target", "shlo_generated"], folder / "generate.log")


# --- Places -------------------------------------------------------------------------------------------


def choose(folder, build, args):
    """Returns mutants of random files, in proportion to their places."""
    equivalent = set()
    for line in EQUIVALENT.read_text().splitlines() if EQUIVALENT.exists() else []:
        if line and not line.startswith("#"):
            path, text, reason = line.split(" :: ")
            assert reason
            equivalent.add((path, text))
    commands = json.loads((build / "compile_commands.json").read_text())
    flags = {entry["file"]: [word for word in entry["command"].split() if word.startswith(("-I", "-isystem", "-std", "-D"))
                             or word.startswith("/") and "include" in word] for entry in commands}
    sources = []
    for path in sorted((folder / "src/lib").rglob("*.cc")):
        name = str(path.relative_to(folder / "src"))
        if re.search(r"_(test|fuzz)\.cc$", name) or not re.search(args.only, name) or str(path) not in flags:
            continue
        sources.append((name, path))
    # Files first, by size, so that not all of them need to be parsed. The mutants of a file depend on itself and the
    # seed only: an edit elsewhere, or an equivalent that is listed, leaves the other mutants as they are.
    share = args.count / sum(path.stat().st_size for _, path in sources)
    wanted = {i: int(path.stat().st_size * share + fraction(args.seed, name)) for i, (name, path) in enumerate(sources)}
    chosen = [i for i, count in wanted.items() if count]
    with concurrent.futures.ProcessPoolExecutor(args.jobs) as pool:
        found = list(pool.map(places_of, [sources[i][1] for i in chosen], [flags[str(sources[i][1])] for i in chosen]))
    mutants = []
    for i, places in zip(chosen, found):
        name = sources[i][0]
        picked = sorted(places, key=lambda place: fraction(args.seed, name + place["text"]))[:wanted[i]]
        for place in sorted(picked, key=lambda place: place["begin"]):
            if (name, place["text"]) in equivalent:
                continue
            place["file"], place["id"] = name, len(mutants)
            place["what"] = f"{name}:{place['line']}: {place['text']}"
            mutants.append(place)
    return mutants


def fraction(seed, text):
    """Returns a number in [0, 1) that looks random."""
    return int.from_bytes(hashlib.sha256(f"{seed} {text}".encode()).digest()[:6], "big") / 2 ** 48


def places_of(path, flags):
    index = cindex.Index.create()
    unit = index.parse(str(path), args=["-x", "c++", *flags, "-Wno-everything"])
    source, places = path.read_bytes(), []
    lines = source.decode().split("\n")

    def text(cursor):
        return source[cursor.extent.start.offset:cursor.extent.end.offset].decode()

    def add(cursor, after, kind):
        if not in_one_file(cursor, path):
            return
        line = cursor.extent.start.line
        before = text(cursor)
        shown = " ".join(lines[line - 1].split())
        places.append({"begin": cursor.extent.start.offset, "end": cursor.extent.end.offset, "kind": kind, "after": after,
                       "line": line, "text": f"{' '.join(before.split())[:60]} => {' '.join(after.split())[:60]} in '{shown[:80]}'"})

    def visit(cursor, inside, parent):
        if cursor.location.file and cursor.location.file.name != str(path):
            return
        kind = cursor.kind
        if kind == cindex.CursorKind.STATIC_ASSERT:
            return
        if kind == cindex.CursorKind.VAR_DECL and compile_time(cursor):
            return
        if kind == cindex.CursorKind.IF_STMT and [t.spelling for t, _ in zip(cursor.get_tokens(), "ab")] == ["if", "constexpr"]:
            children = list(cursor.get_children())[1:]
            for child in children:
                visit(child, inside, cursor)
            return
        if kind in (cindex.CursorKind.FUNCTION_DECL, cindex.CursorKind.CXX_METHOD, cindex.CursorKind.CONSTRUCTOR,
                    cindex.CursorKind.LAMBDA_EXPR, cindex.CursorKind.FUNCTION_TEMPLATE):
            if compile_time(cursor):
                return
            inside = True
        children = list(cursor.get_children())
        if inside and kind in MUTATED:
            mutate(cursor, children, parent)
        for child in children:
            visit(child, inside, cursor)

    def is_number(cursor):
        kind = cursor.type.get_canonical().kind
        return cindex.TypeKind.BOOL.value <= kind.value <= cindex.TypeKind.LONGDOUBLE.value

    def mutate(cursor, children, parent):
        kind = cursor.kind
        if kind == cindex.CursorKind.BINARY_OPERATOR and len(children) == 2:
            left, right = children
            between = source[left.extent.end.offset:right.extent.start.offset].decode()
            operator = between.strip()
            swaps = COMPARISONS if is_number(left) and is_number(right) else {}
            if operator in LOGIC:
                swaps = LOGIC
            elif operator in ARITHMETIC and is_number(left) and is_number(right) and is_number(cursor):
                swaps = ARITHMETIC
            if operator in swaps:
                add(cursor, text(left) + between.replace(operator, swaps[operator]) + text(right), "value")
        elif kind == cindex.CursorKind.INTEGER_LITERAL and re.fullmatch(r"\d{1,6}", text(cursor)) and parent.kind in (
                cindex.CursorKind.BINARY_OPERATOR, cindex.CursorKind.CALL_EXPR, cindex.CursorKind.RETURN_STMT,
                cindex.CursorKind.UNEXPOSED_EXPR):
            add(cursor, str(int(text(cursor)) + 1), "value")
        elif kind == cindex.CursorKind.IF_STMT and children and is_number(children[0]):
            add(children[0], f"!({text(children[0])})", "value")
        elif kind == cindex.CursorKind.RETURN_STMT and children and text(children[0]) in ("true", "false"):
            add(children[0], "false" if text(children[0]) == "true" else "true", "value")
        elif kind == cindex.CursorKind.COMPOUND_STMT:
            for child in children:
                if child.kind == cindex.CursorKind.CALL_EXPR and source[child.extent.end.offset:child.extent.end.offset + 1] == b";":
                    add(child, "", "call")

    visit(unit.cursor, False, unit.cursor)
    unique = {(place["begin"], place["end"], place["after"]): place for place in places}
    return [unique[key] for key in sorted(unique)]


def compile_time(cursor):
    """Returns whether a function or variable is computed by the compiler, which would have to find its mistakes."""
    for token in cursor.get_tokens():
        if token.spelling in ("{", ";", "="):
            return False
        if token.spelling in ("constexpr", "consteval"):
            return True
    return False


def in_one_file(cursor, path):
    """Returns whether the source of a node is what its extent says: not the expansion of a macro."""
    start, end = cursor.extent.start, cursor.extent.end
    if not start.file or start.file.name != str(path) or end.file.name != str(path):
        return False
    tokens = list(cursor.get_tokens())
    return bool(tokens) and tokens[0].extent.start.offset == start.offset and not any(
        re.fullmatch(r"[A-Z][A-Z0-9_]{3,}", token.spelling) for token in tokens[:400])


def compiled(folder, build, mutants, jobs):
    """Builds the mutants. Leaves out those that do not compile: a rare type does not fit."""
    while True:
        plant(folder, mutants)
        with open(folder / "build.log", "w+") as log:
            if subprocess.run(["ninja", "-C", build, "-k", "0", "-j", str(jobs)], stdout=log, stderr=subprocess.STDOUT).returncode == 0:
                return mutants
            log.seek(0)
            text = log.read()
        failed = set(re.findall(r"^FAILED: \S*?(lib/\S+\.cc)\.o", text, re.M))
        errors = set(re.findall(r"(lib/\S+\.cc):(\d+):\d+: error:", text))
        named = {place for place in errors if any((m["file"], str(m["line"])) == place for m in mutants)}
        known = {file for file, _ in named}
        left = [m for m in mutants if (m["file"], str(m["line"])) not in named and m["file"] not in failed - known]
        if len(left) == len(mutants):
            sys.exit(f"mutate: the build failed; see {folder}/build.log")
        for mutant in mutants:
            if mutant not in left:
                print(f"mutate: left out, because it does not compile: {mutant['what']}")
        mutants = left


@functools.cache
def original(name):
    """Returns a source as it was first read, although it may be edited meanwhile."""
    return (ROOT / name).read_bytes()


def plant(folder, mutants):
    """Writes the mutated files; what has changed is compiled again."""
    by_file = collections.defaultdict(list)
    for mutant in mutants:
        by_file[mutant["file"]].append(mutant)
    for path in sorted((folder / "src/lib").rglob("*.cc")):
        name = str(path.relative_to(folder / "src"))
        source = original(name)
        if name in by_file:
            source = with_mutants(source, by_file[name])
        if path.read_bytes() != source:
            path.write_bytes(source)


def with_mutants(source, mutants):
    """Returns the source with every mutant; one that contains others stays as it is in them."""
    def render(begin, end, inner):
        out, at = b"", begin
        roots = [m for m in inner if not any(o is not m and o["begin"] <= m["begin"] and m["end"] <= o["end"] and
                                             (o["end"] - o["begin"], -o["id"]) > (m["end"] - m["begin"], -m["id"]) for o in inner)]
        for m in sorted(roots, key=lambda m: m["begin"]):
            below = [o for o in inner if o is not m and m["begin"] <= o["begin"] and o["end"] <= m["end"]]
            body = render(m["begin"], m["end"], below) if below else source[m["begin"]:m["end"]]
            alive = f"shlo_mutants::Alive({m['id']})"
            out += source[at:m["begin"]]
            if m["kind"] == "call":
                out += f"if (!{alive}) ".encode() + body
            else:
                out += f"({alive} ? ({m['after']}) : (".encode() + body + b"))"
            at = m["end"]
        return out + source[at:end]

    return render(0, len(source), mutants)


# --- Tests --------------------------------------------------------------------------------------------


def tests_of(build):
    """Returns the tests: a GoogleTest binary is one for each suite."""
    listed = json.loads(subprocess.run(["ctest", "--show-only=json-v1"], cwd=build, capture_output=True, check=True).stdout)
    tests = {}
    for test in listed["tests"]:
        command = test.get("command")
        if not command or NOT_RUN.match(test["name"]):
            continue
        suite = next((word for word in command if word.startswith("--gtest_filter=")), None)
        folder = next((p["value"] for p in test.get("properties", []) if p["name"] == "WORKING_DIRECTORY"), str(build))
        if suite:
            name = f"{pathlib.Path(command[0]).name} {suite[15:].rsplit('.', 1)[0].split('/')[0]}"
            pattern = "*" + suite[15:].rsplit(".", 1)[0].split("/")[0] + "*"
            tests[name] = {"name": name, "command": [command[0], f"--gtest_filter={pattern}", "--gtest_fail_fast"], "folder": folder}
        else:
            tests[test["name"]] = {"name": test["name"], "command": command, "folder": folder}
    return list(tests.values())


def run_test(test, environment, timeout):
    """Returns whether a test passes. Its processes end with it."""
    with tempfile.TemporaryDirectory() as scratch:
        child = subprocess.Popen(test["command"], cwd=test["folder"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL, start_new_session=True,
                                 env={**os.environ, "TMPDIR": scratch, **environment})
        try:
            return child.wait(timeout) == 0
        except subprocess.TimeoutExpired:
            return False
        finally:
            try:
                os.killpg(child.pid, 9)
            except ProcessLookupError:
                pass
            child.wait()


def note_reached(tests, mutants, jobs):
    def one(test):
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "log")
            start = time.monotonic()
            test["passes"] = run_test(test, {"SHLO_MUTANT_LOG": log}, 900)
            test["seconds"] = time.monotonic() - start
            test["reaches"] = set(map(int, open(log).read().split())) if os.path.exists(log) else set()

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        list(pool.map(one, tests))
    for test in tests:
        if not test["passes"]:
            print(f"mutate: {test['name']} fails without a mutant, and is not used")
    tests[:] = sorted((test for test in tests if test["passes"]), key=lambda test: test["seconds"])


def killer_of(mutant, tests):
    """Returns the test that fails, '' if none does, and None if no test reaches the mutant."""
    reaching = [test for test in tests if mutant["id"] in test["reaches"]]
    for test in reaching:
        if not run_test(test, {"SHLO_MUTANT": str(mutant["id"])}, 10 + 10 * test["seconds"]):
            return test["name"]
    return "" if reaching else None


def report(mutants, args):
    killed = sum(bool(mutant["killer"]) for mutant in mutants)
    for mutant in mutants:
        if not mutant["killer"]:
            print(f"{'survived' if mutant['killer'] == '' else 'not reached'}: {mutant['what']}")
    by_test = collections.Counter(mutant["killer"] for mutant in mutants if mutant["killer"])
    print("killed most: " + ", ".join(f"{name} {count}" for name, count in by_test.most_common(8)))
    percent = 100 * killed / max(1, len(mutants))
    print(f"{killed} of {len(mutants)} mutants killed ({percent:.1f} %)")
    return 0 if mutants and percent >= args.at_least else 1


if __name__ == "__main__":
    sys.exit(main())
