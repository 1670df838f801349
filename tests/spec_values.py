"""Values in the examples of a specification: operands and results in the comments around an op.

    // %operand: [[1, 2], [3, 4]]        values may span several lines of comment
"""
import math
import re
import struct
import subprocess

TOKENS = re.compile(r"[\[\],()]|-?(?:nan|inf)|true|false|-?0x[0-9a-fA-F]+|-?\d+\.?\d*(?:[eE][+-]?\d+)?|-?\.\d+")


def comments(text):
    """Returns names with the text of their values, in order; None for values per process."""
    values, name = {}, None
    for line in text.splitlines():
        match = re.match(r"\s*//\s?(.*)", line)
        if not match:
            name = None
            continue
        body = match.group(1).split("//")[0]
        begins = re.match(r"\s*(%\w+)(@?\([^)]*\))?\s*[:=](?!=)(.*)", body)
        if begins:
            name = begins.group(1)
            values[name] = None if begins.group(2) else begins.group(3)
        elif name and values[name] is not None:
            values[name] += " " + body
    return values


def numbers(text):
    """Returns the numbers of a value as text, in order, or None if it has anything else."""
    if text is None or TOKENS.sub("", text).strip():
        return None
    return [t for t in TOKENS.findall(text) if t not in "[],()"]


def literal(text, type_):
    """Returns a dense literal of a tensor type with the numbers of a comment, or None if they do not match the type."""
    match = re.fullmatch(r"tensor<((?:\d+x)*)(.*)>", type_.strip())
    parts = numbers(text)
    if not match or parts is None:
        return None
    element = match.group(2)
    count = math.prod(int(n) for n in match.group(1).split("x") if n)
    is_complex = element.startswith("complex<")
    base = element[8:-1] if is_complex else element
    if not re.fullmatch(r"i\d+|ui\d+|f\d+|bf16", base) or len(parts) != count * (2 if is_complex else 1):
        return None
    items = []
    for part in parts:
        if base[0] in "fb":
            special = {"nan": float("nan"), "-nan": float("nan"), "inf": math.inf, "-inf": -math.inf}.get(part)
            if special is not None:
                kind = {"f64": (">d", 16), "f32": (">f", 8)}.get(base)
                if not kind:
                    return None
                part = "0x" + struct.pack(kind[0], special).hex().upper()
            elif not re.search(r"[.x]", part):
                part = re.sub(r"^(-?\d+)", r"\1.0", part)
        elif base == "i1":
            part = {"1": "true", "0": "false"}.get(part, part)
        items.append(part)
    if is_complex:
        items = [f"({a}, {b})" for a, b in zip(items[::2], items[1::2])]
    for size in reversed([int(n) for n in match.group(1).split("x") if n]):
        items = [f"[{', '.join(items[i:i + size])}]" for i in range(0, len(items), size)] if size else ["[]"]
    return f"dense<{items[0] if items else ''}> : {type_}"


def value_of(part):
    if part in ("true", "false"):
        return float(part == "true")
    if part.lstrip("-").startswith("0x"):
        digits = part.lstrip("-")[2:]
        form = {16: ">d", 8: ">f", 4: ">e"}.get(len(digits))
        return struct.unpack(form, bytes.fromhex(digits))[0] if form else float(int(part, 16))
    return float(part)


def near(ours, documents):
    """Compares with a decimal of the specification, which is rounded to its printed digits."""
    a, b = value_of(ours), value_of(documents)
    if math.isnan(a) or math.isnan(b) or math.isinf(a) or math.isinf(b):
        return (math.isnan(a) and math.isnan(b)) or a == b
    if "." not in documents:
        return ours == documents or a == b
    return abs(a - b) <= 1e-6 + 5e-6 * abs(b)


def check(tool, example, function, arguments, results, file):
    """Evaluates `function(arguments)`, which returns `results`. Returns an error, "" if there is none, or None if the
    comments do not state every value."""
    said = comments(example)
    inputs = {}
    for name, type_ in arguments.items():
        inputs[name] = literal(said.get(name), type_)
        if inputs[name] is None:
            return None
    wanted = {n: numbers(said.get(n)) for n in results}
    if not results or any(w is None for w in wanted.values()):
        return None
    signature = ", ".join(f"{n}: {t}" for n, t in arguments.items())
    types = ", ".join(results.values())
    file.write_text(f"func.func @main({signature}) -> ({types}) {{\n{function}\n"
                    f"  func.return {', '.join(results)} : {types}\n}}\n")
    command = [tool, "eval", str(file), "--print=dense"] + (["--args", *inputs.values()] if inputs else [])
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        return f"eval: {done.stderr.strip()[:300]}"
    lines = [line for line in done.stdout.splitlines() if "dense<" in line]
    if len(lines) != len(results):
        return f"eval printed {done.stdout[:200]!r}"
    for (name, documents), line in zip(wanted.items(), lines):
        body = re.search(r"dense<(.*)> : tensor<", line).group(1)
        ours = numbers(body) or []
        if len(ours) == 1 and len(documents) > 1:
            ours = ours * len(documents)  # a splat
        if len(ours) == 2 and len(documents) > 2 and "(" in body:
            ours = ours * (len(documents) // 2)
        if len(ours) != len(documents) or not all(near(a, b) for a, b in zip(ours, documents)):
            return f"{name} is {body[:150]}, the document says {said[name].strip()[:150]}"
    return ""
