#!/usr/bin/env python3
"""Puts hostile strings into every place that people can choose, prints them with every command and report, and checks
that the output is valid where it is shown, and that no line begins with what a name chose.
Usage: printed_text_test.py TOOL [--only TEXT | --quick | --table]. --quick: one string for each way to do harm; --table:
prints the checks of each command by destination."""
import collections
import concurrent.futures
import csv
import hashlib
import html.parser
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unicodedata
import xml.etree.ElementTree as ElementTree

import archive_pack

TOOL = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else ""
ROOT = pathlib.Path(__file__).resolve().parent.parent
DROP_INS = pathlib.Path(TOOL).parent / "dropin"

# Effects that hostile strings try to have. FORGED is where a new line would begin.
KINDS = {
    "plain": b"plain", "spaces": b"a name", "escape": b"\x1b[2J\x1b]0;title\x07\x1b[8m", "C1": "\u009b31m".encode(), "C1 byte": b"\x9b31m\x85",
    "line end": b"x\n::error file=x,line=1::FORGED", "two line ends": b"x\n\nFORGED: verifies\n\x1b[8m", "carriage return": b"x\rFORGED: verifies",
    "CR LF": b"x\r\n##[error]FORGED\r\n", "command": b"::error file=x,line=1::FORGED", "command after spaces": b"  ::stop-commands::FORGED",
    "older command": b"##[error]FORGED", "task command": b"##vso[task.complete result=Succeeded;]FORGED",
    "section": b"section_start:1:FORGED\r\x1b[0K", "bell and backspace": b"\x07\x08\x08\x08\x08FORGED", "tab and feeds": b"a\tb\x0b\x0cFORGED",
    "delete": b"a\x7fb", "direction": "\u202eFORGED\u2066a\u2067b\u2068c\u2069\u200f".encode(), "invisible": "a\u200bb\ufeffc\u2060d\u00ad".encode(),
    "lines of Unicode": "x\u2028FORGED: a\u2029FORGED: b\u0085FORGED: c".encode(), "tags": "a\U000e0041\U000e0042\ufe0f".encode(),
    "noncharacters": b"a\xef\xbf\xbeb\xef\xbf\xbfc\xf0\x9f\xbf\xbe", "not UTF-8": b"a\xff\xfeb", "overlong": b"a\xc0\xaf\xe0\x80\xafb",
    "surrogates": b"a\xed\xa0\x80\xed\xb0\x80b", "half a character": b"a\xe2\x82", "zero": b"a\0FORGED", "CDATA": b"]]><![CDATA[x]]>",
    "script": b"</script></td><script>alert(1)</script><img src=x onerror=alert(1)>\"'", "entities": b"&lt;&#27;&amp;&bogus;",
    "backquotes": b"```FORGED``` `a` ``", "bars": b"a|b\\|c||", "mention": b"@octocat @example/team", "links": b"[x](http://example.com/) https://example.com #1 www.example.com",
    "markup": b"<!-- *a* _b_ ~~c~~ ![d](e) -->", "percent": b"%0A::error::FORGED%25%0D", "verdict": b"FORGED: equal by congruence", "other verdict": b"main: equal by congruence",
    "quotes": b"a\"b'c\\d\\", "format": b"{} {0} %s %n {:>9999}", "letters": "caf\u00e9 \u65e5\u672c\u8a9e".encode(), "long": b"L" * 20000, "many lines": b"\nFORGED" * 500,
}
QUICK = ("plain", "escape", "C1 byte", "line end", "CR LF", "command", "direction", "noncharacters", "not UTF-8", "CDATA", "backquotes", "mention")
if sys.argv[2:] == ["--quick"]:
    KINDS = {kind: KINDS[kind] for kind in QUICK}
TABLE = sys.argv[2:] == ["--table"]
ONLY = sys.argv[3] if len(sys.argv) > 3 and sys.argv[2] == "--only" else ""


def quoted(data):
    """Returns a string of MLIR."""
    return '"' + "".join(chr(c) if 32 <= c < 127 and c not in b'"\\' else f"\\{c:02X}" for c in data) + '"'


FUNCTION = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
BODY = FUNCTION.splitlines(keepends=True)


def within(line, after="  return %0 : tensor<4xf32>\n"):
    return BODY[0] + BODY[1] + line + "\n" + after + "}\n"


# Places of a text that may have any string, N.
PLACES = {
    "symbol": lambda n: FUNCTION.replace("@main", "@" + n), "symbols": lambda n: FUNCTION + FUNCTION.replace("@main", "@" + n).replace("tanh", "sine"),
    "module": lambda n: f"module @{n} {{\n{FUNCTION}}}\n", "attribute of a module": lambda n: f"module attributes {{mhlo.x = {n}, {n} = 1 : i32}} {{\n{FUNCTION}}}\n",
    "target": lambda n: within(f"  %1 = stablehlo.custom_call @{n}(%0) : (tensor<4xf32>) -> tensor<4xf32>", "  return %1 : tensor<4xf32>\n"),
    "config": lambda n: within(f"  %1 = stablehlo.custom_call @known(%0) {{backend_config = {n}, api_version = 1 : i32}} : (tensor<4xf32>) -> tensor<4xf32>"),
    "name of an attribute": lambda n: within(f"  %1 = stablehlo.tanh %0 {{{n} = 1 : i32}} : tensor<4xf32>"),
    "attribute": lambda n: within(f"  %1 = stablehlo.tanh %0 {{mhlo.sharding = {n}, a.b = [{n}, @{n}]}} : tensor<4xf32>"),
    "argument": lambda n: FUNCTION.replace("%x: tensor<4xf32>", f"%x: tensor<4xf32> {{mhlo.sharding = {n}, jax.info = {n}}}"),
    "callee": lambda n: within(f"  %1 = func.call @{n}(%0) : (tensor<4xf32>) -> tensor<4xf32>"),
    "composite": lambda n: within(f"  %1 = stablehlo.composite {n} %0 {{decomposition = @main}} : (tensor<4xf32>) -> tensor<4xf32>"),
    "op": lambda n: within(f"  {n}(%0) : (tensor<4xf32>) -> ()"), "op of a dialect": lambda n: within(f"  \"a.{n[1:]}(%0) : (tensor<4xf32>) -> ()"),
    "type": lambda n: within(f"  %1 = \"a.b\"(%0) : (tensor<4xf32>) -> !a.b<{n}>"), "opaque attribute": lambda n: within(f"  %1 = stablehlo.tanh %0 {{a.b = #a.b<{n}>}} : tensor<4xf32>"),
    "location": lambda n: within(f"  %1 = stablehlo.add %0, %0 : tensor<5xf32> loc({n}({n}:1:2))"),
    "location of a file": lambda n: within(f"  %1 = \"stablehlo.tanh\"(%0) : (tensor<4xf32>) -> tensor<5xf32> loc({n}:3:4)"),
    "encoding": lambda n: within(f"  %1 = stablehlo.tanh %0 : tensor<4xf32, {n}>"), "probe": lambda n: within(f"  %1 = interpreter.probe %0, probe_id = {n} : tensor<4xf32>"),
    "enum": lambda n: within(f"  %1 = \"stablehlo.compare\"(%0, %0) {{comparison_direction = {n}}} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>"),
    "visibility": lambda n: FUNCTION.replace("{\n", f"attributes {{sym_visibility = {n}}} {{\n", 1),
    "mesh": lambda n: f"sdy.mesh @{n} = <[{n}=2]>\n{FUNCTION}", "resource": lambda n: FUNCTION + f"{{-#\n dialect_resources: {{ builtin: {{ {n}: \"0x0400000000000000\" }} }}\n#-}}\n",
    "ranges": lambda n: within(f"  %1 = stablehlo.custom_call @Sharding(%0) {{mhlo.sharding = {n}}} : (tensor<4xf32>) -> tensor<4xf32>"),
}
REPORTS = ("text", "json", "sarif", "junit", "github", "gitlab", "markdown", "html")
POLICY = 'consumers = ["1.0.0"]\ncustom-calls = ["known"]\nproducers = ["none"]\n[budget]\nops = 1\n[rules]\nrandom-op = "error"\ndeprecated-op = "error"\n'
OTHER = FUNCTION.replace("tanh", "sine")


# --- What is valid where --------------------------------------------------------------------------------


def hidden(c):
    """Whether a character is not seen, or changes how others are seen."""
    return unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp", "Cs", "Cn") and c != "\n" or c in "\u115f\u1160\u3164\uffa0\u034f" or "\ufe00" <= c <= "\ufe0f"


# Diagnostics show lines of sources, below what they are about. These cannot be commands, but are what they are.
FORGED = ["FORGED", "main: equal"]


def check_text(data):
    """Checks what a terminal and a log show."""
    text = data.decode("utf-8")
    bad = sorted({c for c in text if hidden(c)})
    assert not bad, f"shows {bad}"
    lines = text.split("\n")
    for line, after in zip(lines, [*lines[1:], ""]):
        begins = ("::",) if after.strip() == "^" else ("::", *FORGED)  # a source, with the place below
        assert not line.lstrip().startswith(begins), f"a line begins with {line[:60]!r}"
        assert "##[" not in line and "##vso" not in line, f"a line has {line[:60]!r}"
    return text


def check_json(data):
    text = check_text(data)
    return json.loads(text)


def check_junit(data):
    text = check_text(data)
    root = ElementTree.fromstring(data)
    assert root.tag == "testsuites" and {e.tag for e in root.iter()} <= {"testsuites", "testsuite", "testcase", "failure", "error", "system-out"}, "has other elements"
    for e in root.iter():
        for part in (e.text or "", *e.attrib.values()):
            assert not any(hidden(c) for c in part), "an element shows what is hidden"
    return text


class Page(html.parser.HTMLParser):
    TAGS = set("html head meta title style body h1 h2 p b ul li pre wbr table thead tbody tr th td code br small".split())

    def handle_starttag(self, tag, attrs):
        assert tag in self.TAGS, f"has <{tag}>"
        assert all(name in ("lang", "charset", "name", "content", "class") for name, _ in attrs), f"has {attrs}"

    def handle_data(self, data):
        assert not any(hidden(c) for c in data), "the page shows what is hidden"

    def handle_comment(self, data):
        raise AssertionError("has a comment")


def check_html(data):
    page = Page()
    page.feed(check_text(data))
    page.close()


def check_markdown(data):
    text = check_text(data)
    for line in text.splitlines():
        rest = re.sub(r"(?<![`\\])`[^`]+`(?!`)", "CODE", line)
        assert not re.search(r"[`@<>\[\]*_~&\\]|http|www\.|[A-Za-z]+-[0-9]|#[0-9]", rest), f"outside of code: {rest[:100]!r}"
        if line.startswith("|"):
            assert line.count("|") == 5, f"{line.count('|')} bars: {line[:100]!r}"


def check_github(data):
    text = data.decode("utf-8")
    assert not any(hidden(c) for c in text), "shows what is hidden"
    for line in text.splitlines():
        assert re.fullmatch(r"::(error|warning|notice) file=[^:,]*(,line=\d+)?(,col=\d+)?,title=[^:,]*::[^\r\n]*", line), f"is no command: {line[:100]!r}"
        for part in re.findall("%(..?)", line):
            assert part in ("25", "0A", "0D", "3A", "2C"), f"has %{part}"
        assert "%0A::" not in line, "a message has a command"


CHECKS = {"text": check_text, "json": check_json, "sarif": check_json, "junit": check_junit, "github": check_github,
          "gitlab": check_json, "markdown": check_markdown, "html": check_html}


# --- Runs -----------------------------------------------------------------------------------------------


def command_of(program, words):
    """Returns the name of a command for the table."""
    if program != TOOL:
        return pathlib.Path(str(program)).name
    named = [word.decode() if re.fullmatch(b"[a-z]+", word) and word != KINDS["plain"] else "(no command)" for word in words[:2]]
    return " ".join(named) if named[0] == "archive" else named[0]


class Table:
    """Runs commands in separate folders, and counts what was checked."""

    def __init__(self):
        self.checks, self.runs, self.failures = 0, 0, []
        self.cells, self.kinds = collections.Counter(), collections.defaultdict(set)  # by command and destination

    def expect(self, what, check, data):
        self.checks += 1
        try:
            return check(data)
        except (AssertionError, ValueError, ElementTree.ParseError) as error:
            self.failures.append(f"{what}: {str(error)[:300]}")
            return None

    def count(self, command, destination, about):
        self.cells[command, destination] += 1
        self.kinds[command, destination].add(about.split(",")[0])

    def add(self, other):
        self.checks += other.checks
        self.runs += other.runs
        self.failures += other.failures
        self.cells += other.cells
        for cell, kinds in other.kinds.items():
            self.kinds[cell] |= kinds

    def show(self):
        """Prints the table of commands by destinations: checks, and kinds of strings if they are not all."""
        columns = ["terminal", *CHECKS]
        print("| command | " + " | ".join(columns) + " |\n|" + "---|" * (len(columns) + 1))
        for command in sorted({command for command, _ in self.cells}):
            counts = [(self.cells[command, column], len(self.kinds.get((command, column), ()))) for column in columns]
            print(f"| {command} | " + " | ".join(f"{n}" + (f" ({k} kinds)" if 0 < k < len(KINDS) else "") if n else "" for n, k in counts) + " |")

    def run(self, about, folder, *words, program=TOOL, form="text", environment=None):
        """Runs a command, and checks what it prints: `form` to the standard output."""
        words = [os.fsencode(str(word)) if not isinstance(word, bytes) else word for word in words]
        done = subprocess.run([program, *words], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=False,
                              env={**os.environ, "SHLO_ARCHIVE": "", **(environment or {})})
        shown = b" ".join(words)[:100].decode(errors="replace")
        what = f"{about}: {pathlib.Path(str(program)).name} {shown!r}"
        command = command_of(program, words)
        self.runs += 1
        self.checks += 1
        if done.returncode not in (0, 1, 2, 3, 4):
            self.failures.append(f"{what}: exit code {done.returncode}")
        self.expect(what + " (stderr)", check_text, done.stderr)
        self.count(command, "terminal", about)
        if form and (done.stdout or done.returncode < 2):  # no report of a wrong policy
            self.expect(what + f" ({form})", CHECKS[form], done.stdout)
            self.count(command, form, about)
        return done


    def reports(self, about, folder, *words):
        """Runs a command that writes reports, with all of them."""
        made = pathlib.Path(tempfile.mkdtemp(dir=folder.parent))
        done = self.run(about, folder, *words, "--report=text", *(f"--report={format}={made / format}" for format in REPORTS))
        for format in REPORTS:
            if (made / format).exists():
                self.expect(f"{about}: {words} ({format})", CHECKS[format], (made / format).read_bytes())
                self.count(words[0], format, about)
        shutil.rmtree(made)
        return done


def programs(table, kind, n, folder):
    """Places of a text, with all commands that print them."""
    for place, make in PLACES.items():
        about = f"{kind}, {place}"
        if ONLY not in about:
            continue
        (folder / "a.mlir").write_text(make(quoted(n)))
        run = lambda *words, **options: table.run(about, folder, *words, **options)
        run("verify", "a.mlir")
        run("inspect", "a.mlir")
        run("strings", "a.mlir")
        run("roundtrip", "a.mlir")
        run("prove", "a.mlir", "b.mlir", "--max-work=50")
        run("diff", "a.mlir", "b.mlir", "--locations")
        run("eval", "a.mlir", "--inputs=random:1", "--profile")
        run("a.mlir", "--target=1.0.0", "--allow-outside-window", form="")
        run("a.mlir", "-o", "a.mlirbc", "--allow-outside-window", form="")
        table.reports(about, folder, "check", "a.mlir", "b.mlir", "--policy=policy.toml")
        run("a.mlir", program=DROP_INS / "stablehlo-opt", form="")
        if kind in ("line end", "escape", "not UTF-8", "direction", "verdict"):
            for words in (["verify"], ["inspect"], ["strings"], ["roundtrip"], ["prove", "b.mlir"], ["diff", "b.mlir"], ["eval", "--inputs=random:1"], ["--emit=generic"], ["inspect", "--matrix"]):
                run(*words, "a.mlir", "--json", form="json")
            run("a.mlir", "--target=1.0.0", "--json", "--allow-outside-window", form="json")
            run("prove", "b.mlir", "a.mlir", "--evaluate-only", "--max-work=50")
            run("inspect", "a.mlir", "--matrix")
            run("inspect", "a.mlirbc")
            run("verify", "a.mlirbc", "--lenient")
            run("verify", "a.mlirbc", "--trace")
            run("a.mlir", "--expand", "--target=1.0.0", "--allow-outside-window", form="")
            run("a.mlir", "--prove", form="")
            run("reduce", "a.mlir", "--still-invalid", "-o", "r.mlir")
            run("reduce", "a.mlir", "--still-differs", "b.mlir", "-o", "r.mlir")
            run("eval", "a.mlir", "--inputs=random:1", "--probe-output-dir=.")
            run("-verify-diagnostics", "a.mlir", program=DROP_INS / "stablehlo-opt", form="")
            run("--vhlo-to-version=target=1.0.0", "-stablehlo-legalize-to-vhlo", "a.mlir", program=DROP_INS / "stablehlo-opt", form="")
            run("--serialize", "--target=1.0.0", "a.mlir", "-o", "s.bc", program=DROP_INS / "stablehlo-translate", form="")
            run("--deserialize", "s.bc", program=DROP_INS / "stablehlo-translate", form="")
            run("--interpret", "a.mlir", program=DROP_INS / "stablehlo-translate")
            run("-debug-only=stablehlo-bytecode", "-emit-bytecode", "a.mlir", "-o", "d.bc", program=DROP_INS / "stablehlo-opt")


def sources(table, kind, n, folder):
    """Excerpts of files, whatever their bytes are."""
    for place, content in {
            "line": b"module {\n" + n + b"\n}\n", "line of an op": b"func.func @main() {\n  stablehlo.tanh " + n + b"\n  return\n}\n", "begin": n, "comment": b"// " + n + b"\nbad\n",
            "string": b"module @\"" + n.replace(b'"', b"") + b"\" {\n  bad\n}\n", "expected": b"// expected-error@+1 {{" + n + b"}}\nfunc.func @main() { return }\n"}.items():
        (folder / "s.mlir").write_bytes(content)
        about = f"{kind}, {place} of a source"
        if ONLY not in about:
            continue
        table.run(about, folder, "verify", "s.mlir")
        table.run(about, folder, "verify", "s.mlir", "--json", form="json")
        table.run(about, folder, "s.mlir", program=DROP_INS / "stablehlo-opt", form="")
        table.run(about, folder, "--verify-diagnostics", "s.mlir", program=DROP_INS / "stablehlo-opt", form="")
        table.run(about, folder, "--serialize", "s.mlir", program=DROP_INS / "stablehlo-translate", form="")
        table.reports(about, folder, "check", "s.mlir", "--no-policy")


def names(table, kind, n, folder):
    """Names of files, and words of the command line."""
    if b"\0" in n:
        return
    name = n.replace(b"/", b"_")[:150]
    about = f"{kind}, name of a file"
    if ONLY in about:
        run = lambda *words, **options: table.run(about, folder / "names", *words, **options)
        shutil.rmtree(folder / "names", ignore_errors=True)
        (folder / "names").mkdir()
        here = os.fsencode(folder / "names") + b"/" + name
        for ending, content in ((b".mlir", FUNCTION), (b".bad.mlir", FUNCTION.replace("tanh", "tan")), (b".invalid.mlir", within("  %1 = stablehlo.add %0, %x : tensor<5xf32>"))):
            with open(here + ending, "w", encoding="utf-8") as file:
                file.write(content)
        for command in ("verify", "inspect", "strings", "roundtrip"):
            run(command, b"./" + name + b".mlir" if command == "strings" else b".")
            run(command, b"./" + name + b".mlir")
            run(command, b"--", name + b".invalid.mlir")
            run(command, b"--", name + b".bad.mlir")
            run(command, b"--", name + b".missing")
            run(command, b"--", name + b".mlir", b"--json" if not name.startswith(b"-") else b"./x")
        run("inspect", ".", "--matrix")
        run("inspect", ".", "--json", form="json")
        run("verify", ".", "--json", form="json")
        run("prove", "--", name + b".mlir", name + b".mlir")
        run("prove", "--", name + b".mlir", name + b".invalid.mlir")
        run("prove", "--", name + b".mlir", ".")
        run("prove", ".", ".")
        run("diff", "--", name + b".mlir", name + b".invalid.mlir")
        run("eval", "--inputs=random:1", "--", name + b".mlir")
        run(b"--", name + b".mlir", form="")
        run(b"--", name + b".bad.mlir", form="")
        run(b"--", name, form="")
        run("--out-dir=out", ".", form="")
        run("pack", "--", name + b".mlir", form="")
        run("unpack", b"--tensors=" + name, "-o", "u.mlir", "--", name + b".mlir")
        run("reduce", "--still-invalid", "-o", "r.out", "--", name + b".mlir")
        table.reports(about, folder / "names", "check", ".", "--no-policy")
        for command, program in (("-verify-diagnostics", "stablehlo-opt"), ("--serialize", "stablehlo-translate")):
            run(command, b"./" + name + b".bad.mlir", program=DROP_INS / program, form="")
        run(b"./" + name + b".bad.mlir", program=DROP_INS / "stablehlo-opt", form="")
        run("archive", "init", b"./" + name)
        run("archive", "add", ".", b"--archive=./" + name)
        run("archive", "ls", b"--archive=./" + name)
        run("archive", "stats", b"--archive=./" + name)
        run("archive", "export", "net", "-o", "x", b"--archive=./" + name)
        run("archive", "import", b"./" + name + b".mlir", b"--archive=./" + name)
    about = f"{kind}, argument"
    if ONLY not in about:
        return
    word = n[:2000]
    for words in ([b"--target=" + word, "a.mlir"], [b"--for=" + word, "a.mlir"], [b"--for=jaxlib==" + word, "a.mlir"], [b"--program=" + word, "b.mlir"], [b"--from=" + word, "b.mlir"],
                  [b"--window=" + word, "b.mlir"], [b"--today=" + word, "--target=WEEK_4", "b.mlir"], [b"--emit=" + word, "b.mlir"], [b"--" + word], [word], ["ops", word], ["laws", word],
                  ["rules", word], ["versions", word], ["versions", word + b".." + word], ["ops", b"--diff=" + word], ["eval", b"--entry=" + word, "b.mlir"], ["eval", b"--args=" + word, "b.mlir"],
                  ["eval", b"--arg=" + word, "b.mlir"], ["eval", b"--custom-call=" + word, "b.mlir"], ["eval", b"--custom-call=" + word + b"=b.mlir", "b.mlir"], ["eval", b"--inputs=" + word, "b.mlir"],
                  ["check", b"--rule=" + word, "b.mlir"], ["check", b"--report=" + word, "b.mlir"], ["check", b"--against=" + word, "b.mlir"], ["check", b"--policy=" + word, "b.mlir"],
                  ["gate", b"--released=" + word], ["gate", b"--dialect=" + word], ["archive", "ls", b"--archive=" + word], ["archive", word], ["reduce", b"--still=" + b"false #" + word, "b.mlir"],
                  ["reduce", b"--still-blocked=" + word, "b.mlir"], ["prove", b"--check=" + word, "b.mlir", "b.mlir"], ["negotiate", word], ["inspect", b"--weights=" + word, "b.mlir"]):
        table.run(about, folder, *words, form="text")
    for program in ("stablehlo-opt", "stablehlo-translate"):
        table.run(about, folder, b"-" + word.lstrip(b"-"), program=DROP_INS / program)
        table.run(about, folder, b"--target=" + word, "--serialize", "b.mlir", program=DROP_INS / program)
        table.run(about, folder, b"--args=" + word, "--interpret", "b.mlir", program=DROP_INS / program)


def toml(n):
    return json.dumps(n.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape") if b"\x7f" not in n else json.dumps(n.decode("utf-8", "replace").replace("\x7f", "\\u007f")).encode()


def files(table, kind, n, folder):
    """Policies, dialects, certificates, lists of consumers."""
    about = f"{kind}, other files"
    if ONLY not in about:
        return
    t = toml(n)
    for content in (b"files = [" + t + b"]\n", b"consumers = [" + t + b"]\n", b"custom-calls = [" + t + b"]\n", t + b" = 1\n", b"[rules]\n" + t + b" = \"error\"\n", b"[rules]\nremoved = " + t + b"\n",
                    b"window = " + t + b"\n", b"consumer-files = [" + t + b"]\n", b"dialect-files = [" + t + b"]\n", b"baseline = " + t + b"\n", b"[budget]\n" + t + b" = 1\n", n,
                    b"custom-calls = [\"ok\"]\n[[waiver]]\nrule = \"custom-call\"\npath = \"**\"\nreason = " + t + b"\nowner = " + t + b"\nexpires = 2027-05-31\n",
                    b"[[waiver]]\nrule = " + t + b"\npath = " + t + b"\nreason = " + t + b"\nowner = " + t + b"\nexpires = 2017-05-31\n"):
        (folder / "hostile.toml").write_bytes(content)
        table.reports(about, folder, "check", "c.mlir", "--policy=hostile.toml")
    for content in (b"name = " + t + b"\n", b"name = \"a\"\n" + t + b" = 1\n", b"name = \"a\"\n[[op]]\nname = " + t + b"\n", n, b"name = \"a\"\n[[version]]\nnumber = 1\ndate = " + t + b"\n"):
        (folder / "hostile.toml").write_bytes(content)
        table.run(about, folder, "verify", "c.mlir", "--dialect=hostile.toml")
        table.reports(about, folder, "gate", "--dialect=hostile.toml")
    j = json.dumps(n.decode("utf-8", "surrogateescape"), ensure_ascii=False).encode("utf-8", "surrogateescape")
    for content in (b"{\"consumers\": [{\"package\": " + j + b", \"version\": " + j + b", \"stablehlo\": " + j + b"}]}", n):
        (folder / "consumers.json").write_bytes(content)
        table.run(about, folder, "c.mlir", "--for=plugin==1", "--consumers=consumers.json", form="")
    certificate = json.loads((folder / "certificate.json").read_text())
    for key in ("producer", "format"):
        (folder / "hostile.json").write_bytes(json.dumps({**certificate, key: n.decode("utf-8", "replace")}).encode())
        table.run(about, folder, "prove", "--check=hostile.json", "b.mlir", "b.mlir")
    (folder / "hostile.json").write_bytes((folder / "certificate.json").read_bytes().replace(b'"main"', json.dumps(n.decode("utf-8", "replace")).encode()))
    table.run(about, folder, "prove", "--check=hostile.json", "b.mlir", "b.mlir")
    table.run(about, folder, "prove", "--check=hostile.json", "b.mlir", "b.mlir", "--json", form="json")
    (folder / "hostile.bin").write_bytes(n)
    for words in (["prove", "--check=hostile.bin", "b.mlir", "b.mlir"], ["eval", "b.mlir", "--inputs=hostile.bin"], ["archive", "import", "hostile.bin", "--archive=archive"]):
        table.run(about, folder, *words)


def bundles(table, kind, n, folder):
    """Entries of archives: metadata, producers, tools, times, paths, functions, types, targets."""
    about = f"{kind}, archive"
    if ONLY not in about:
        return
    shutil.rmtree(folder / "work", ignore_errors=True)
    table.run(about, folder, "archive", "init", "work")
    if b"\0" not in n:
        for words in ([b"--producer=" + n], [b"--meta=key=" + n], [b"--meta=" + n.replace(b"=", b"") + b"=1"], [b"--tag=" + n], [b"--name=" + n], [b"--parent=" + n], [b"--entry=" + n, "--golden=random:1"]):
            table.run(about, folder, "archive", "add", "b.mlir", "--new-version", "--archive=work", *words)
    (folder / "s.mlir").write_text(PLACES["symbols"](quoted(n)))
    (folder / "t.mlir").write_text(PLACES["target"](quoted(n)))
    for file in ("s.mlir", "t.mlir"):
        table.run(about, folder, "archive", "add", file, "--archive=work")
    text = n.decode("utf-8", "replace")

    def change(line):
        entry = json.loads(line)
        if entry["type"] == "model":
            entry.update(producer=text, tool=text, metadata={text: text, "a": text}, tags=[text])
            for program in entry["programs"]:
                program.update(custom_calls=[text], dialects=[text])
                for function in program["functions"]:
                    function.update(name=text, type=text)
        return json.dumps(entry, sort_keys=True, separators=(",", ":"), ensure_ascii=False)

    for number, extra in enumerate(({}, {"files": 1}, {"time": text}, {"name": text}, {"format": text}, {"type": text})):
        def changed(line, extra=extra):
            entry = json.loads(change(line))
            if entry["type"] == "model" or "type" in extra:
                entry.update({key: value for key, value in extra.items() if key != "files"})
                if "files" in extra:
                    entry["files"][0]["path"] = text.replace("/", "_")
            return json.dumps(entry, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        shutil.copy(folder / "model.bundle", folder / "hostile.bundle")
        archive_pack.replace_data(folder / "hostile.bundle", hashlib.sha256(b"none").digest(), b"", changed)
        shutil.rmtree(folder / "other", ignore_errors=True)
        table.run(f"{about} {number}", folder, "archive", "init", "other")
        table.run(f"{about} {number}", folder, "archive", "import", "hostile.bundle", "--archive=other")
        for words in (["ls"], ["show", "net"], ["log"], ["stats"], ["verify"], ["verify", "--files"], ["get", "net", "-o", "got.mlir"], ["diff", "net", "net"], ["prune", "--keep=1"], ["rebuild", "--check"], ["migrate", "--target=current", "--dry-run"]):
            table.run(f"{about} {number}", folder, "archive", *words, "--archive=other")
        for words in (["ls"], ["show", "net"], ["log"]):
            table.run(f"{about} {number}", folder, "archive", *words, "--archive=other", "--json", form="json")
    for words in (["ls"], ["log"], ["show", "s", "t", "b"], ["verify", "--goldens"], ["tag", "b", b"--add=" + n.replace(b"\0", b"")], ["tag", "b", b"--meta=a=" + n.replace(b"\0", b"")], ["show", "b"], ["show", n.replace(b"\0", b"")],
                  ["migrate", "--target=1.20.0"], ["export", "s", "-o", "s.bundle"], ["prune", "--keep=1"]):
        table.run(about, folder, "archive", *words, "--archive=work")
    for words in (["ls"], ["log"], ["show", "s"]):
        table.run(about, folder, "archive", *words, "--archive=work", "--json", form="json")


FAMILIES = (programs, sources, names, files, bundles)


def prepare(folder):
    (folder / "b.mlir").write_text(OTHER)
    (folder / "c.mlir").write_text(within("  %1 = stablehlo.custom_call @c(%0) : (tensor<4xf32>) -> tensor<4xf32>"))
    (folder / "net.mlir").write_text(FUNCTION)
    (folder / "policy.toml").write_text(POLICY)
    for words in (["archive", "init", "archive"], ["archive", "add", "net.mlir", "--archive=archive"], ["archive", "export", "net", "-o", "model.bundle", "--archive=archive"],
                  ["prove", "b.mlir", "b.mlir", "--certificate=certificate.json"]):
        subprocess.run([TOOL, *words], cwd=folder, check=True, capture_output=True)


def of_kind(kind):
    table = Table()
    shown = list(FORGED)
    with tempfile.TemporaryDirectory() as path:
        folder = pathlib.Path(path) / "work"
        folder.mkdir()
        prepare(folder)
        for family in FAMILIES:
            FORGED[:] = [] if family is sources else shown
            family(table, kind, KINDS[kind], folder)
    return table


# --- More than one string at once -----------------------------------------------------------------------


def distinct(table):
    """Names that differ are different in documents, and in what people see."""
    with tempfile.TemporaryDirectory() as path:
        folder = pathlib.Path(path)
        prepare(folder)
        spellings = [b"a\xff", b"a\xfe", b"a\\FF", b"a\xef\xbf\xbd", b"\0" + b"61FF", b"a\\\\FF", b"a\xc0", b"\"a\xff\""]
        (folder / "a.mlir").write_text("\n".join(FUNCTION.replace("@main", "@" + quoted(n)) for n in spellings))
        document = table.expect("different names", check_json, table.run("different names", folder, "inspect", "--json", "a.mlir", form="json").stdout)
        listed = [f["name"] for f in document["files"][0]["programs"][0]["functions"]]
        table.expect(f"different names: {listed}", lambda found: assert_equal(len(set(found)), len(spellings)), listed)
        found = [bytes.fromhex(n[1:]) if n.startswith("\0") else n.encode() for n in listed]
        table.expect("names come back", lambda names: assert_equal(names, spellings), found)
        text = table.run("different names", folder, "inspect", "a.mlir").stdout.decode(errors="replace")
        symbols = re.findall(r"^  (@.*): 1 op$|^  (@.*): 2 ops$", text, re.M)
        table.expect("different symbols", lambda found: assert_equal(len(set(found)), len(spellings)), symbols)
        for n in (b"a\xff", b"a\xfe"):
            with open(os.fsencode(path) + b"/" + n + b".mlir", "w", encoding="utf-8") as file:
                file.write(FUNCTION)
        document = json.loads(table.run("different files", folder, "verify", "--json", b"a\xff.mlir", b"a\xfe.mlir", form="json").stdout)
        table.expect("different files", lambda found: assert_equal(len(set(found)), 2), [f["file"] for f in document["files"]])


def probes(table):
    """The index of probes is CSV, whatever ids and types are, and is read back."""
    for kind, n in KINDS.items():
        if len(n) > 2000:
            continue
        with tempfile.TemporaryDirectory() as path:
            folder = pathlib.Path(path)
            (folder / "p.mlir").write_text("func.func @main() {\n  %0 = stablehlo.constant dense<1> : tensor<2xi32>\n" +
                                           "".join(f"  %{i} = interpreter.probe %0, probe_id = {quoted(n)} : tensor<2xi32>\n" for i in (1, 2)) +
                                           f"  \"check.expect_serialized_eq\"(%0) {{probe_id = {quoted(n)}, iteration = 1 : ui32}} : (tensor<2xi32>) -> ()\n  return\n}}\n")
            done = table.run(f"{kind}, probe", folder, "eval", "p.mlir", "--probe-output-dir=.")
            table.expect(f"{kind}, probe: {done.stderr[:200]}", lambda code: assert_equal(code, 0), done.returncode)
            if not (folder / "index.csv").exists():
                continue
            with open(folder / "index.csv", encoding="utf-8", errors="surrogateescape", newline="") as file:
                rows = list(csv.reader(io.StringIO(file.read(), newline="")))
            wanted = n.decode("utf-8", "surrogateescape")
            table.expect(f"{kind}, index", lambda found: assert_equal([row[:2] for row in found], [[wanted, "tensor<2xi32>"]] * 2), rows)


def written_by(table):
    """Nothing writes to the standard streams but the sinks, which take no std::string."""
    known = {"tools/common.cc": 2, "tools/eval.cc": 1, "tools/main.cc": 3}
    for path in sorted([*ROOT.glob("tools/*.cc"), *ROOT.glob("lib/**/*.cc"), *ROOT.glob("python/src/*.cc")]):
        if path.name.endswith(("_test.cc", "_fuzz.cc")) or "naive" in path.parts:
            continue
        found = re.findall(r"\b(?:f?printf|fputs|puts|fputc|putchar|fwrite|perror)\(|std::(?:cout|cerr|clog) <<|fmt::print\b", path.read_text())
        name = str(path.relative_to(ROOT))
        table.expect(f"{name} writes to a stream by itself: use TerminalText and Print or PutError", lambda n: assert_equal(n, known.get(name, 0)), len(found))


def assert_equal(a, b):
    assert a == b, f"{a!r} is not {b!r}"


def main():
    total = Table()
    others = (distinct, probes, written_by)
    kinds = [] if ONLY in {family.__name__ for family in others} else KINDS
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        for table in pool.map(of_kind, kinds):
            total.add(table)
    for family in others:
        if ONLY in family.__name__:
            family(total)
    for failure in total.failures[:200]:
        print(failure)
    if TABLE:
        total.show()
    print(f"{len(KINDS)} kinds of strings, {total.runs} runs, {total.checks} checks, {len(total.failures)} failures")
    return 1 if total.failures else 0


if __name__ == "__main__":
    sys.exit(main())
