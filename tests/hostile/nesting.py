"""Types, attributes and locations that double at each level, and everything that nests, deeply."""
from hostile.case import Case, READ, function

NOTHING = "  return"


def doubled(sigil, leaf, pair, levels, width=2):
    """Aliases a0, a1, ...: each is `pair` of the one before, `width` times."""
    lines = [f"{sigil}a0 = {leaf}"]
    for i in range(levels):
        lines.append(f"{sigil}a{i + 1} = " + pair.format(", ".join([f"{sigil}a{i}"] * width)))
    return "\n".join(lines) + "\n", f"{sigil}a{levels}"


def types():
    kinds = {
        "tuple": ("tensor<f32>", "tuple<{}>"),
        "function": ("tensor<f32>", "({0}) -> ({0})"),
        "opaque": ("tensor<f32>", "!other.kind<{}>"),
        "complex": ("f32", "complex<{}>"),
        "vector": ("f32", "vector<2x{}>"),
    }
    for kind, (leaf, pair) in kinds.items():
        for levels in (28, 300):
            aliases, last = doubled("!", leaf, pair, levels)
            uses = {
                "argument": function(NOTHING, f"%a: {last}"),
                "attribute": function(NOTHING) + f'"other.op"() {{t = {last}}} : () -> ()\n',
                "result": f'%0 = "other.op"() : () -> {last}\n',
                "error": function(f"  %0 = stablehlo.add %a, %a : {last}\n  return", f"%a: {last}"),
                "mismatch": function(f"  return %a : {last}", f"%a: {last}", "tensor<f32>"),
            }
            for use, text in uses.items():
                if kind == "tuple" or use in ("argument", "error") and levels == 28:
                    yield Case(f"types-{kind}-{levels}-{use}", aliases + text)
    # Inside of the encoding of a tensor, and of each argument of many functions.
    aliases, last = doubled("#", "[1]", "[{}]", 28)
    yield Case("types-encoding", aliases + function(NOTHING, f"%a: tensor<2xf32, {last}>"))
    aliases, last = doubled("!", "tensor<f32>", "tuple<{}>", 12, width=2)
    many = "".join(function(NOTHING, f"%a: {last}, %b: {last}", name=f"f{i}") for i in range(2000))
    yield Case("types-of-many-functions", aliases + many)
    yield Case("types-of-many-values", aliases + function(
        "\n".join(f'  %{i} = "other.op"() : () -> {last}' for i in range(5000)) + "\n  return"))


def attributes():
    kinds = {
        "array": ("[1]", "[{}]"),
        "dictionary": ("{a = 1}", None),
        "symbol": ("@a", "[{}, @b::@c]"),
        "typed": ("[tensor<f32>]", "[{}]"),
        "opaque": ("[1]", "#other.kind<{}>"),
    }
    for kind, (leaf, pair) in kinds.items():
        for levels in (28, 300):
            if pair:
                aliases, last = doubled("#", leaf, pair, levels)
            else:
                lines = [f"#a0 = {leaf}"] + [f"#a{i + 1} = {{x = #a{i}, y = #a{i}}}" for i in range(levels)]
                aliases, last = "\n".join(lines) + "\n", f"#a{levels}"
            yield Case(f"attributes-{kind}-{levels}", aliases + function(NOTHING) + f'"other.op"() {{v = {last}}} : () -> ()\n')
            if levels == 28:
                yield Case(f"attributes-{kind}-of-module", f"{aliases}module attributes {{m.v = {last}}} {{\n{function(NOTHING)}}}\n")
                yield Case(f"attributes-{kind}-error", aliases + function(
                    f'  %0 = "stablehlo.iota"() {{iota_dimension = {last}}} : () -> tensor<2xf32>\n  return'))
    aliases, last = doubled("#", "[1]", "[{}]", 10)
    yield Case("attributes-of-many-ops", aliases + function(
        "\n".join(f'  "other.op"() {{v = {last}, w = {i}}} : () -> ()' for i in range(8000)) + "\n  return"))


def locations():
    kinds = {
        "fused": 'loc(fused[{0}, {0}])',
        "call": "loc(callsite({0} at {0}))",
        "metadata": 'loc(fused<"m">[{0}, {0}, {0}])',
        "name": 'loc("n"({0}))',
    }
    for kind, form in kinds.items():
        for levels in (28, 400):
            lines = ['#a0 = loc("f.py":1:1)']
            lines += [f"#a{i + 1} = " + form.format(f"#a{i}") for i in range(levels)]
            text = "\n".join(lines) + "\n" + function(f"  return loc(#a{levels})")
            yield Case(f"locations-{kind}-{levels}", text, READ + ("IN --target=1.0.0 --allow-outside-window --locations",))
            text = "\n".join(lines) + "\n" + function(
                f"  %0 = stablehlo.add %a, %b : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32> loc(#a{levels})\n  return",
                "%a: tensor<2xf32>, %b: tensor<3xf32>")
            yield Case(f"locations-{kind}-{levels}-error", text)


def deep():
    """Nests everything. 400 levels are allowed; the rest must be refused before the stack ends."""
    for levels in (400, 20_000, 100_000):
        nested = {
            "regions": '"other.op"() ({\n' * levels + "}) : () -> ()\n" * levels,
            "modules": "module {\n" * levels + "}\n" * levels,
            "if": function('"stablehlo.if"(%p) ({' * levels + '"stablehlo.return"() : () -> ()' +
                           '}, { "stablehlo.return"() : () -> () }) : (tensor<i1>) -> () "stablehlo.return"() : () -> ()' * levels +
                           "\n  return", "%p: tensor<i1>"),
            "tuples": function(NOTHING, "%a: " + "tuple<" * levels + "f32" + ">" * levels),
            "complex": function(NOTHING, "%a: " + "complex<" * levels + "f32" + ">" * levels),
            "functions": f'"other.op"() {{t = {"() -> (" * levels}{")" * levels}}} : () -> ()',
            "opaque-type": function(NOTHING, "%a: " + "!other.t<" * levels + "x" + ">" * levels),
            "arrays": f'"other.op"() {{v = {"[" * levels}{"]" * levels}}} : () -> ()',
            "dictionaries": f'"other.op"() {{v = {"{v = " * levels}1{"}" * levels}}} : () -> ()',
            "opaque-attribute": f'"other.op"() {{v = #other.v{"<" * levels}{">" * levels}}} : () -> ()',
            "brackets-of-opaque": f'"other.op"() {{v = #other.v<{"([{<" * levels}{">}])" * levels}>}} : () -> ()',
            "elements": f'"other.op"() {{v = dense<{"[" * levels}1{"]" * levels}> : tensor<{"1x" * levels}i32>}} : () -> ()',
            "fused": function(f'  return loc({"fused[" * levels}unknown{"]" * levels})'),
            "names": function('  return loc(' + '"n"(' * levels + "unknown" + ")" * levels + ")"),
            "calls": function(f'  return loc({"callsite(unknown at " * levels}unknown{")" * levels})'),
            "affine": f'"other.op"() {{m = affine_map<(d0) -> ({"(" * levels}d0{")" * levels})>}} : () -> ()',
            "affine-sum": f'"other.op"() {{m = affine_map<(d0) -> (d0{" + d0 * 2" * levels})>}} : () -> ()',
            "affine-minus": f'"other.op"() {{m = affine_map<(d0) -> ({"-" * levels}d0)>}} : () -> ()',
            "affine-mod": f'"other.op"() {{m = affine_map<(d0) -> (d0{" mod 7 floordiv 3" * levels})>}} : () -> ()',
            "symbols": f'"other.op"() {{s = @a{"::@a" * levels}}} : () -> ()',
            "types-of-attributes": f'"other.op"() {{s = {"tensor<2xf32, " * levels}1{">" * levels}}} : () -> ()',
            "quantized": function(NOTHING, f'%a: tensor<{"!quant.uniform<i8:" * levels}f32, 0.5{">" * levels}>'),
        }
        for kind, text in nested.items():
            commands = READ if levels == 400 else ("IN --emit=generic", "verify IN --json", "inspect IN")
            if len(text) < 1 << 20 and (levels != 20_000 or kind in ("regions", "elements", "if", "affine-sum")):
                yield Case(f"deep-{kind}-{levels}", text, commands)
    for kind, text in {"regions": '"a.b"() ({', "parentheses": "(" * 9, "braces": "{", "brackets": "[", "quotes": '"\\22',
                       "tuples": "!a = tuple<", "arrays": "#a = [", "modules": "module {", "comments": "// -----\n",
                       "locations": "#l = loc(fused[", "percents": "%a = "}.items():
        yield Case(f"unclosed-{kind}", text * (200_000 // len(text)), ("IN", "verify IN", "inspect IN --json", "roundtrip IN"))


FAMILIES = (types, attributes, locations, deep)
