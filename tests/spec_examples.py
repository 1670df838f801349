#!/usr/bin/env python3
"""Checks the example programs of a specification: each parses, verifies, is unchanged by printing and parsing, and, if
its comments state all values (see spec_values.py), evaluates to them.

    spec_examples.py TOOL DOCUMENT...     (reads the ```mlir blocks of Markdown)

An example uses values that it does not define; they become arguments of an enclosing function, with the types that
the ops state. KNOWN lists examples that contradict the specification, with the reason; they must fail, and one that
passes is an error. WRONG_VALUES does the same for values. Ends with "N examples, M failures"; the line before counts
evaluated examples.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

import spec_values

# Unique part of an example: why it is wrong.
KNOWN = {
    "stablehlo.max %lhs": "no version calls the op 'max': it is 'maximum'",
    "stablehlo.min %lhs": "no version calls the op 'min': it is 'minimum'",
    "pred>": "no version has a type 'pred': it is 'i1'",
}

# Likewise for values.
WRONG_VALUES = {
    '"stablehlo.divide"(%lhs, %rhs)': "17.1 / 3.0 is 5.7; the values are those of 17.0 / 3.0",
    '"stablehlo.rng"(': "random numbers of an implementation's own",
}

OPEN = {"(": ")", "{": "}", "[": "]", "<": ">"}


def skip(text, at):
    """Returns the position after the bracket that closes the one at `at`; skips strings and arrows."""
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
    """Splits at top-level commas."""
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
    """Returns the values that are used but not defined, with their types."""
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
    """Returns the top-level ops: each begins a line with the names of its results."""
    depth, starts = 0, []
    for line_at in [0] + [m.end() for m in re.finditer("\n", text)]:
        depth = sum(text[:line_at].count(c) for c in "({[") - sum(text[:line_at].count(c) for c in ")}]")
        if depth == 0 and re.match(r"\s*%\w+", text[line_at:]):
            starts.append(line_at)
    return [text[a:b] for a, b in zip(starts, starts[1:] + [len(text)])]


def results_of(statement):
    """Returns the results of an op, with their types."""
    names = re.findall(r"%\w+", statement.split("=")[0])
    colon = statement.rindex(") ->") if ") ->" in statement else -1
    if colon >= 0:
        types = statement[colon + 4:].strip()
        types = split(types[1:skip(types, 0) - 1]) if types.startswith("(") else [types.strip()]
    else:
        types = [statement[statement.rindex(" : ") + 3:].strip()] if " : " in statement else []
    return dict(zip(names, types)) if len(names) == len(types) else {}


def groups_of(example):
    """Returns the ops of an example, in groups that define each name once; empty if it is a whole program."""
    text = re.sub(r"//[^\n]*", "", example)
    if re.search(r"(^|\s)(module|func\.func|stablehlo\.func|ml_program\.func)\b", text):
        return []
    groups, names = [], set()
    for statement in statements(text):
        made = set(re.findall(r"%\w+", statement.split("=")[0]))
        if not groups or made & names:
            groups.append("")
            names = set()
        names |= made
        groups[-1] += statement
    return groups


def program(example):
    """Returns the example as a whole program; variants of one op become separate functions."""
    whole, groups = "", groups_of(example)
    if not groups:
        return re.sub(r"//[^\n]*", "", example)
    for number, group in enumerate(groups):
        args = ", ".join(f"{n}: {t}" for n, t in free_values(group).items())
        whole += f"func.func @example_{number}({args}) {{\n{group}\n  func.return\n}}\n"
    return whole


def values(tool, example, file):
    """Returns the errors in the values of an example, or None if it does not state them. Blank lines separate variants
    of one op, which may share their inputs."""
    variants = [example] if len(groups_of(example)) == 1 else re.split(r"\n\s*\n", example)
    before, answer = "", None
    for variant in variants:
        groups = groups_of(variant)
        text = before + variant
        before += "".join(line + "\n" for line in variant.splitlines() if line.lstrip().startswith("//"))
        if len(groups) != 1:
            continue
        results = {}
        for statement in statements(groups[0]):
            results.update(results_of(statement))
        said = spec_values.comments(variant)
        results = {n: t for n, t in results.items() if n in said}
        wrong = spec_values.check(tool, text, groups[0], free_values(groups[0]), results, file)
        if wrong:
            return wrong
        answer = wrong if answer is None else answer
    return answer


def main():
    tool, documents = sys.argv[1], sys.argv[2:]
    count, evaluated, failures = 0, 0, []
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
                for command in (["verify"], ["roundtrip"]):
                    done = subprocess.run([tool, *command, str(file)], capture_output=True, text=True)
                    if done.returncode:
                        bad = (done.stdout + done.stderr).strip()
                        break
                if bad and not reason:
                    failures.append(f"{name}: {bad[:400]}")
                elif reason and not bad:
                    failures.append(f"{name}: passes, though it is known to be wrong: {reason}")
                wrong = None if bad else values(tool, example, file)
                evaluated += wrong is not None
                reason = next((r for k, r in WRONG_VALUES.items() if k in example), None)
                if wrong and not reason:
                    failures.append(f"{name}: {wrong}")
                elif reason and not wrong:
                    failures.append(f"{name}: has the values of the document, though these are known to be wrong: {reason}")
    print("\n".join(failures))
    print(f"{evaluated} evaluated")
    print(f"{count} examples, {len(failures)} failures")
    return 1 if failures or not count else 0


if __name__ == "__main__":
    sys.exit(main())
