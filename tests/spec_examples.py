#!/usr/bin/env python3
"""The example programs of a specification: each parses, verifies, and is the same after printing.

    spec_examples.py TOOL DOCUMENT...     (reads the ```mlir blocks of Markdown)

An example is a few ops on values it does not define; they become arguments of a function around it, of the types
the ops give them. Examples that contradict the text they illustrate are listed in KNOWN with the reason, and must
go on failing: one that passes is an error, too. Ends with "N examples, M failures".
"""
import pathlib
import re
import subprocess
import sys
import tempfile

# A piece of the example that no other has: why it is wrong.
KNOWN = {
    "stablehlo.max %lhs": "no version calls the op 'max': it is 'maximum'",
    "stablehlo.min %lhs": "no version calls the op 'min': it is 'minimum'",
    "pred>": "no version has a type 'pred': it is 'i1'",
}

OPEN = {"(": ")", "{": "}", "[": "]", "<": ">"}


def skip(text, at):
    """The place behind the bracket that closes the one at `at`; strings and arrows are passed over."""
    closing = []
    while at < len(text):
        c = text[at]
        if c == '"':
            at = text.index('"', at + 1)
        elif c == "-" and text[at:at + 2] == "->":
            at += 1
        elif c in OPEN:
            closing.append(OPEN[c])
        elif closing and c == closing[-1]:
            closing.pop()
            if not closing:
                return at + 1
        at += 1
    raise ValueError("unbalanced brackets")


def split(text):
    """Top-level comma-separated items."""
    items, depth, start = [], 0, 0
    for i, c in enumerate(text):
        if c in "<([{":
            depth += 1
        elif c in ">)]}" and text[i - 1:i + 1] != "->":
            depth -= 1
        elif c == "," and depth == 0:
            items.append(text[start:i].strip())
            start = i + 1
    return items + [text[start:].strip()] if text.strip() else []


def free_values(text):
    """Values that are used and not defined, with their types."""
    types = {}
    for match in re.finditer(r'"[a-z_]+\.[\w-]+"\s*\(', text):
        at = match.end() - 1
        end = skip(text, at)
        operands = split(text[at + 1:end - 1])
        while True:
            rest = text[end:]
            stripped = rest.lstrip()
            end += len(rest) - len(stripped)
            if not stripped or stripped[0] not in "({<":
                break
            end = skip(text, end)
        if not text[end:].startswith(":"):
            continue
        start = text.index("(", end)
        for name, type_ in zip(operands, split(text[start + 1:skip(text, start) - 1])):
            types.setdefault(name, type_)
    # op %a, %b : type
    for match in re.finditer(r"[^\"\w](?:[a-z_]+\.[\w-]+) ((?:%\w+(?:, )?)+) : ([^\n]+)", text):
        for name in re.split(r",\s*", match.group(1).strip(", ")):
            types.setdefault(name, match.group(2).strip())
    defined = set(re.findall(r"(%\w+):", text))
    for match in re.finditer(r"((?:%[\w#:]+\s*,\s*)*%[\w:]+)\s*=[^=]", text):
        defined |= {v.strip().split(":")[0] for v in match.group(1).split(",")}
    return {n: t for n, t in types.items() if n.split("#")[0] not in defined}


def statements(text):
    """The top-level ops: each begins a line with the names of its results."""
    depth, starts = 0, []
    for line_at in [0] + [m.end() for m in re.finditer("\n", text)]:
        depth = sum(text[:line_at].count(c) for c in "({[") - sum(text[:line_at].count(c) for c in ")}]")
        if depth == 0 and re.match(r"\s*%\w+", text[line_at:]):
            starts.append(line_at)
    return [text[a:b] for a, b in zip(starts, starts[1:] + [len(text)])]


def program(example):
    """The example as a whole program; variants of one op become functions of their own."""
    text = re.sub(r"//[^\n]*", "", example)
    if re.search(r"(^|\s)(module|func\.func|stablehlo\.func|ml_program\.func)\b", text):
        return text
    groups, names = [], set()
    for statement in statements(text):
        made = set(re.findall(r"%\w+", statement.split("=")[0]))
        if not groups or made & names:
            groups.append("")
            names = set()
        names |= made
        groups[-1] += statement
    whole = ""
    for number, group in enumerate(groups):
        args = ", ".join(f"{n}: {t}" for n, t in free_values(group).items())
        whole += f"func.func @example_{number}({args}) {{\n{group}\n  func.return\n}}\n"
    return whole


def main():
    tool, documents = sys.argv[1], sys.argv[2:]
    count, failures = 0, []
    with tempfile.TemporaryDirectory() as folder:
        for document in documents:
            text = pathlib.Path(document).read_text()
            for number, example in enumerate(re.findall(r"```mlir\n(.*?)```", text, re.S)):
                count += 1
                first = re.search(r'"?([a-z_]+\.[\w-]+)', example)
                name = f"{pathlib.Path(document).name[:3]} #{number} {first.group(1) if first else '?'}"
                reason = next((r for k, r in KNOWN.items() if k in example), None)
                try:
                    whole = program(example)
                except ValueError as error:
                    whole = f"// {error}\n" + example
                file = pathlib.Path(folder) / "example.mlir"
                file.write_text(whole)
                bad = ""
                for command in (["verify", "--strict"], ["roundtrip"]):
                    done = subprocess.run([tool, *command, str(file)], capture_output=True, text=True)
                    if done.returncode:
                        bad = (done.stdout + done.stderr).strip()
                        break
                if bad and not reason:
                    failures.append(f"{name}: {bad[:400]}")
                elif reason and not bad:
                    failures.append(f"{name}: passes, though it is known to be wrong: {reason}")
    print("\n".join(failures))
    print(f"{count} examples, {len(failures)} failures")
    return 1 if failures or not count else 0


if __name__ == "__main__":
    sys.exit(main())
