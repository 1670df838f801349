"""Mistakes to plant in programs: each kind yields changed texts of a program in generic form.

A kind is a generator function of the lines of a program: it yields (line numbers, replacements), one per place where the
mistake can be made. Most changes keep the program valid; `prove` refuses the others, and they do not count.
"""
import re

OP = re.compile(r'^(\s*)((%[\w]+)(?::\d+)? = )?"([\w.]+)"\(([^)]*)\)(.*)$')
TYPES = re.compile(r' : \((.*)\) -> (.*?)(?: loc\(.*\))?$')

# Ops with the same operands and results, but a different value.
OTHER_OPS = {
    "add": "maximum subtract", "subtract": "add", "multiply": "add minimum", "divide": "multiply", "maximum": "add minimum",
    "minimum": "maximum", "and": "or", "or": "xor and", "xor": "or", "sine": "cosine", "cosine": "sine",
    "exponential": "exponential_minus_one", "exponential_minus_one": "exponential", "log": "log_plus_one",
    "log_plus_one": "log", "tanh": "logistic", "logistic": "tanh", "sqrt": "cbrt", "rsqrt": "sqrt", "floor": "ceil",
    "ceil": "floor", "negate": "abs", "abs": "negate", "sign": "abs", "power": "atan2", "atan2": "power",
    "remainder": "divide", "round_nearest_even": "round_nearest_afz", "round_nearest_afz": "round_nearest_even",
    "shift_left": "shift_right_logical", "shift_right_logical": "shift_right_arithmetic",
    "shift_right_arithmetic": "shift_right_logical", "real": "imag", "imag": "real", "popcnt": "not",
}
COMMUTATIVE = {f"stablehlo.{name}" for name in ("add", "multiply", "maximum", "minimum", "and", "or", "xor")}
DIRECTIONS = {"LT": "LE", "LE": "LT", "GT": "GE", "GE": "GT", "EQ": "NE", "NE": "EQ"}
# Flags that promise something and change no value.
PROMISES = ("indices_are_sorted", "unique_indices", "is_stable", "has_side_effect", "use_global_device_ids")


def split(text):
    """Splits a list at top-level commas."""
    out, depth, start = [], 0, 0
    for i, c in enumerate(text):
        if c in "<([{":
            depth += 1
        elif c in ">)]}" and text[i - 1] != "-":
            depth -= 1
        elif c == "," and depth == 0:
            out.append(text[start:i].strip())
            start = i + 1
    return out + [text[start:].strip()] if text.strip() else []


def ops(lines):
    """Yields (line, match, operands, operand types, result types); regions keep the types on their last line."""
    for i, line in enumerate(lines):
        m = OP.match(line)
        if not m:
            continue
        end = i
        if line.rstrip().endswith("({"):
            indent = m.group(1)
            end = next((j for j in range(i + 1, len(lines)) if lines[j].startswith(indent + "})")), i)
        t = TYPES.search(lines[end])
        results = t.group(2) if t else ""
        results = results[1:-1] if results.startswith("(") else results
        yield i, m, split(m.group(5)), split(t.group(1)) if t else [], split(results)


def wrong_op(lines):
    for i, m, *_ in ops(lines):
        dialect, _, name = m.group(4).partition(".")
        for other in OTHER_OPS.get(name, "").split() if dialect == "stablehlo" else ():
            yield [i], [lines[i].replace(f'"stablehlo.{name}"', f'"stablehlo.{other}"', 1)]


def operands_swapped(lines):
    for i, m, operands, types, _ in ops(lines):
        # These results do not depend on the order.
        if m.group(4) in COMMUTATIVE or re.search(r"comparison_direction (EQ|NE)>", lines[i]):
            continue
        for a in range(len(operands)):
            for b in range(a + 1, len(operands)):
                if operands[a] != operands[b] and a < len(types) and b < len(types) and types[a] == types[b]:
                    swapped = list(operands)
                    swapped[a], swapped[b] = swapped[b], swapped[a]
                    yield [i], [lines[i].replace(f"({m.group(5)})", f"({', '.join(swapped)})", 1)]


def op_dropped(lines):
    for i, m, operands, types, results in ops(lines):
        if m.group(3) and len(results) == 1 and results[0] in types and not lines[i].rstrip().endswith("({"):
            name = re.compile(re.escape(m.group(3)) + r"\b(?!#)")
            changed = [j for j in range(i + 1, len(lines)) if name.search(lines[j])]
            yield changed, [name.sub(operands[types.index(results[0])], lines[j]) for j in changed]


def rounding(lines):
    """Conversions there and back are left out, or put in."""
    found = {}
    for i, m, operands, types, results in ops(lines):
        if m.group(4) == "stablehlo.convert" and m.group(3):
            found[m.group(3)] = (operands[0], types[0])
            if operands[0] in found and found[operands[0]][1] == results[0]:
                name = re.compile(re.escape(m.group(3)) + r"\b(?!#)")
                changed = [j for j in range(i + 1, len(lines)) if name.search(lines[j])]
                yield changed, [name.sub(found[operands[0]][0], lines[j]) for j in changed]
        elif m.group(3) and results and len(results) == 1 and re.search(r"(?<=[x<])f(32|64)>", results[0]) and operands:
            if "complex" in results[0] or m.group(4) in ("stablehlo.constant", "stablehlo.convert") or lines[i].rstrip().endswith("({"):
                continue
            narrow = re.sub(r"(?<=[x<])f(32|64)>", "bf16>", results[0])
            old, wide, rounded = m.group(3), "%wide_" + m.group(3)[1:], "%rounded_" + m.group(3)[1:]
            yield [i], ["\n".join([
                lines[i].replace(old + " =", wide + " =", 1),
                f'{m.group(1)}{rounded} = "stablehlo.convert"({wide}) : ({results[0]}) -> {narrow}',
                f'{m.group(1)}{old} = "stablehlo.convert"({rounded}) : ({narrow}) -> {results[0]}'])]


def number_lists(lines):
    """One number of a list is off by one, or two are swapped: limits, strides, permutations, dimensions, padding."""
    for i, line in enumerate(lines):
        if not OP.match(line) or '"func.func"' in line:
            continue
        for m in re.finditer(r"(?:array<i64: |_(?:dims|dimensions|map) = \[|\[\[|\], \[|x\[|<\[)([-\w, ]+)(?=[\]>])", line):
            items = [x.strip() for x in m.group(1).split(",")]
            head, tail = line[:m.start(1)], line[m.end(1):]
            for a in range(len(items)):
                for d in (1, -1):
                    if re.fullmatch(r"-?\d+", items[a]):
                        yield [i], [head + ", ".join(items[:a] + [str(int(items[a]) + d)] + items[a + 1:]) + tail]
                for b in range(a + 1, len(items)):
                    if items[a] != items[b]:
                        other = list(items)
                        other[a], other[b] = other[b], other[a]
                        yield [i], [head + ", ".join(other) + tail]
            if re.search(r"(start_indices|limit_indices) = $", line[:m.start()]):
                continue
        both = re.search(r"limit_indices = array<i64: ([\d, ]+)>, start_indices = array<i64: ([\d, ]+)>", line)
        if both:
            limits, starts = ([int(x) for x in g.split(",")] for g in both.groups())
            for a in range(len(limits)):
                for d in (1, -1):
                    if starts[a] + d >= 0:
                        new = [[x + d * (k == a) for k, x in enumerate(v)] for v in (limits, starts)]
                        yield [i], [line.replace(both.group(0), "limit_indices = array<i64: {}>, start_indices = array<i64: {}>"
                                                 .format(*(", ".join(map(str, v)) for v in new)))]


def padding_swapped(lines):
    for i, line in enumerate(lines):
        if "edge_padding_high" in line:
            yield [i], [line.replace("edge_padding_high", "@").replace("edge_padding_low", "edge_padding_high").replace("@", "edge_padding_low")]
        m = re.search(r"padding = dense<(\[\[.*?\]\])>", line)
        if m:
            yield [i], [line.replace(m.group(1), re.sub(r"\[(\d+), (\d+)\]", r"[\2, \1]", m.group(1)))]


def one_number(lines):
    """An attribute of one integer: a dimension, a count of groups."""
    for i, line in enumerate(lines):
        if '"func.func"' in line or "compat_version" in line:
            continue
        for m in re.finditer(r"(dimension|group_count|dim|length|bits|index) = (\d+)(?= : i\d+|[,>])", line):
            for d in (1, -1):
                yield [i], [line[:m.start(2)] + str(int(m.group(2)) + d) + line[m.end(2):]]


def comparison(lines):
    for i, line in enumerate(lines):
        m = re.search(r"comparison_direction (\w+)>", line)
        if m:
            yield [i], [line[:m.start(1)] + DIRECTIONS[m.group(1)] + line[m.end(1):]]
            turned = {"L": "G", "G": "L"}.get(m.group(1)[0])
            if turned:
                yield [i], [line[:m.start(1)] + turned + m.group(1)[1] + line[m.end(1):]]
        if "comparison_type FLOAT>" in line:
            yield [i], [line.replace("comparison_type FLOAT>", "comparison_type TOTALORDER>")]


def constants(lines):
    for i, line in enumerate(lines):
        m = re.search(r'"stablehlo.constant"\(\) <\{value = dense<(.*?)> : (tensor<.*?>)\}', line)
        if not m or m.group(1).startswith('"'):
            continue
        for n in list(re.finditer(r"-?\d+\.\d+e[+-]\d+|0x[0-9A-F]+|-?\b\d+\b|true|false", m.group(1)))[:3]:
            old = n.group(0)
            if old in ("true", "false"):
                new = ["false" if old == "true" else "true"]
            elif "." in old:
                value = float(old)
                new = [f"{value * (1 + 1e-3):e}", f"{-value:e}"] if value else ["1.000000e+00"]
                if value == 0:
                    new.append("0.000000e+00" if old.startswith("-") else "-0.000000e+00")
            elif old.startswith("0x"):
                new = ["0x" + old[2:-1] + ("1" if old[-1] == "0" else "0"), "0x" + ("7" if old[2] == "F" else "F") + old[3:]]
            else:
                new = [str(int(old) + 1), str(int(old) - 1)]
            for text in new:
                yield [i], [line[:m.start(1) + n.start()] + text + line[m.start(1) + n.end():]]


def flags(lines):
    for i, line in enumerate(lines):
        for m in re.finditer(r"(\w+) = (true|false)", line):
            if m.group(1) not in PROMISES and '"func.func"' not in line and "builtin.module" not in line:
                yield [i], [line[:m.start(2)] + ("false" if m.group(2) == "true" else "true") + line[m.end(2):]]


def promises(lines):
    for i, line in enumerate(lines):
        for m in re.finditer(r"(\w+) = (true|false)", line):
            if m.group(1) in PROMISES:
                yield [i], [line[:m.start(2)] + ("false" if m.group(2) == "true" else "true") + line[m.end(2):]]


def branches_swapped(lines):
    for i, m, *_ in ops(lines):
        if m.group(4) not in ("stablehlo.if", "stablehlo.case") or not lines[i].rstrip().endswith("({"):
            continue
        indent = m.group(1)
        end = next(j for j in range(i + 1, len(lines)) if lines[j].startswith(indent + "})"))
        bounds = [i] + [j for j in range(i + 1, end) if lines[j].startswith(indent + "}, {")] + [end]
        bodies = [lines[a + 1:b] for a, b in zip(bounds, bounds[1:])]
        if len(bodies) >= 2 and bodies[0] != bodies[1]:
            new = []
            for k, body in enumerate([bodies[1], bodies[0]] + bodies[2:]):
                new += body + ([f"{indent}}}, {{"] if k + 1 < len(bodies) else [])
            # Values keep their names, so the swapped text must have as many lines.
            yield list(range(i + 1, end)), new


def body_returns(lines):
    """The body of a reduction, scatter or sort returns its other argument."""
    for i, line in enumerate(lines):
        m = re.match(r"\s*\^bb\d+\((%\w+): (\S+), (%\w+): (\S+)\):$", line)
        if not m or m.group(2) != m.group(4):
            continue
        for j in range(i + 1, min(i + 6, len(lines))):
            r = re.match(r'\s*"stablehlo.return"\((%\w+)\) : \((\S+)\)', lines[j])
            if r and r.group(2) == m.group(2):
                for arg in (m.group(1), m.group(3)):
                    if arg != r.group(1):
                        yield [j], [lines[j].replace(f"({r.group(1)})", f"({arg})", 1)]
                break


def enums(lines):
    others = {"RFFT": "IRFFT", "FFT": "IFFT", "IFFT": "FFT", "NO_TRANSPOSE": "TRANSPOSE", "TRANSPOSE": "NO_TRANSPOSE",
              "THREE_FRY": "PHILOX", "PHILOX": "THREE_FRY", "UNIFORM": "NORMAL"}
    for i, line in enumerate(lines):
        for m in re.finditer(r"#stablehlo<(?:fft_type|transpose|rng_algorithm|rng_distribution) (\w+)>", line):
            if m.group(1) in others:
                yield [i], [line[:m.start(1)] + others[m.group(1)] + line[m.end(1):]]


def callee(lines):
    names = re.findall(r'sym_name = "(\w+)"', "\n".join(lines))
    for i, line in enumerate(lines):
        m = re.search(r'"func.call".*callee = @(\w+)', line)
        for other in names if m else ():
            if other != m.group(1):
                yield [i], [line.replace(f"@{m.group(1)}", f"@{other}", 1)]


KINDS = {f.__name__: f for f in (wrong_op, operands_swapped, op_dropped, rounding, number_lists, padding_swapped, one_number,
                                 comparison, constants, flags, promises, branches_swapped, body_returns, enums, callee)}


def plant(text, kind):
    """Yields the changed programs of one kind."""
    lines = text.splitlines()
    for at, new in KINDS[kind](lines):
        if at:
            changed = list(lines)
            for i, line in zip(at, new):
                changed[i] = line
            yield at[0] + 1, "\n".join(changed) + "\n"
