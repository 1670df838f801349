"""Files that come with a program and are hostile themselves: dialects, policies, consumers, weights and patterns."""
import json
import struct

from .case import Case, function

PROGRAM = function('  %0 = "acme.op"(%a) {x = 1 : i32} : (tensor<2xf32>) -> tensor<2xf32>\n  return %0 : tensor<2xf32>', "%a: tensor<2xf32>",
                   "tensor<2xf32>")
SUM = function("  %0 = stablehlo.add %a, %a : tensor<2xf32>\n  return %0 : tensor<2xf32>", "%a: tensor<2xf32>", "tensor<2xf32>")
HEAD = 'dialect = "acme"\n[[version]]\nnumber = 1\nrelease = "1.0"\nstablehlo = "1.11.0"\n'
OP = '[[op]]\nname = "op"\noperands = [{ name = "i", type = "tensor" }]\nresults = [{ name = "o", type = "tensor" }]\n'


def repeated(text, count, between=", "):
    """Repeats a text with the numbers 0, 1, 2 ... for `#`."""
    return between.join(text.replace("#", str(i)) for i in range(count))


def toml():
    """Yields (name, text) of what hurts any reader of TOML."""
    yield "arrays-nested", "x = " + "[" * 400_000
    yield "tables-nested", "x = " + "{a=" * 200_000
    yield "key-of-many-parts", ".".join(["a"] * 400_000) + " = 1\n"
    yield "key-of-quoted-parts", ".".join(['"a.b"'] * 100_000) + " = 1\n"
    yield "header-of-many-parts", "[" + " . ".join(["a"] * 200_000) + "]\n"
    yield "keys-of-16-parts", "".join(f"[{'.'.join(['a'] * 15)}.b{i}]\n" for i in range(15_000))
    yield "tables-nested-of-16-parts", "x = " + ("{" + ".".join(["a"] * 16) + " = ") * 31 + "1" + "}" * 31
    yield "key-long", "a" * 900_000 + " = 1\n"
    yield "key-beyond-ascii", "a = 1\n\u00e9" + "a" * 900_000 + " = 1\n"
    yield "keys-unknown", "".join(f"[a{i}]\n" for i in range(90_000))
    yield "keys-alike", "a = 1\n" * 150_000
    yield "string-beyond-ascii", "x = '" + "\u00e9~" * 300_000 + "'\n"
    yield "string-of-escapes", 'x = "' + "\\u007e" * 150_000 + '"\n'
    yield "string-unclosed", 'x = """' + '"' * 900_000
    yield "string-of-control", 'x = "\\u001b[2J\\u0007"\n["\\u001b[2J"]\n'
    yield "comment", "#" * 900_000
    yield "nul-bytes", "\0" * 900_000
    yield "number-long", "x = " + "1" * 900_000
    yield "not-utf-8", b"x = '" + b"\xff" * 500_000 + b"'\n"
    yield "lines", "\n" * 1_000_000


def dialects():
    value, version = '{ name = "i#", type = "tensor" }', '[[version]]\nnumber = #\nrelease = "#.0"\nstablehlo = "1.11.0"\n'
    name = '[[op]]\nname = "op"\n'
    texts = {
        "versions": 'dialect = "acme"\n' + repeated(version, 18_000, "").replace("number = 0\n", "number = 1\n", 1) + OP,
        "ops": HEAD + repeated('[[op]]\nname = "op#"\n', 40_000, ""),
        "ops-alike": HEAD + OP * 9_000,
        "operands": HEAD + name + "operands = [" + repeated(value, 25_000) + "]\n",
        "lists": HEAD + name + "operands = [" + repeated(value.replace(" }", ', arity = "list" }'), 18_000) + "]\n",
        "types": HEAD + repeated('[[type]]\nname = "t#"\n', 40_000, "") + OP,
        "attributes": HEAD + OP + "attributes = [" + repeated('{ name = "x#", kind = "i32", optional = true }', 15_000) + "]\n",
        "attributes-alike": HEAD + OP + "attributes = [" + repeated('{ name = "x", kind = "i32" }', 20_000) + "]\n",
        "cases": HEAD + '[[type]]\nname = "t"\nparameters = [{ name = "k", kind = "case", cases = [' + repeated('{ name = "c#" }', 50_000) + "] }]\n" + OP,
        "parameters": HEAD + '[[type]]\nname = "t"\nparameters = [' + repeated('{ name = "k#", kind = "type" }', 25_000) + "]\n" + OP,
        "former-names": HEAD + OP + "formerly = [" + repeated('{ name = "f#", until = 1 }', 35_000) + "]\n",
        "same": HEAD + OP + "same = [" + repeated('{ what = "type", of = ["i", "o"] }', 25_000) + "]\n",
        "same-of-many": HEAD + OP + 'same = [{ what = "type", of = [' + repeated('"i"', 150_000) + "] }]\n",
        "type-of-many": HEAD + name + 'operands = [{ name = "i", type = "tensor<' + "integer | " * 90_000 + 'float>" }]\n',
        "type-nested": HEAD + name + 'operands = [{ name = "i", type = "' + "tensor<" * 100_000 + '" }]\n',
        "kind-nested": HEAD + OP + 'attributes = [{ name = "x", kind = "i32' + "[]" * 400_000 + '" }]\n',
        "default-nested": HEAD + OP + 'attributes = [{ name = "x", kind = "any", default = "' + "[" * 400_000 + '" }]\n',
        "regions": HEAD + OP + "regions = [" + repeated('{ name = "r#" }', 40_000) + "]\n",
        **{f"toml-{kind}": HEAD.encode() + (text if isinstance(text, bytes) else text.encode()) for kind, text in toml()},
    }
    for kind, text in texts.items():
        yield Case(f"dialect-{kind}", PROGRAM, ("IN --dialect=definition", "verify IN --dialect=definition --json", "gate --dialect=definition --released=r --freeze"),
                   {"definition": text})
    unknown = function("".join(f'  "acme.o{i}"() {{y{i} = 1}} : () -> ()\n' for i in range(12_000)) + "  return")
    attributes = function('  "acme.op"(%a) {' + repeated("y# = 1", 30_000) + "} : (tensor<2xf32>) -> tensor<2xf32>\n  return", "%a: tensor<2xf32>")
    types = function("  return", repeated("%a#: !acme.u#", 20_000))
    for kind in ("ops", "types", "attributes"):
        for used, program in (("unknown-ops", unknown), ("unknown-attributes", attributes), ("unknown-types", types)):
            yield Case(f"dialect-{kind}-{used}", program, ("IN --dialect=definition", "verify IN --dialect=definition", "IN --dialect=definition -o out.shlo"),
                       {"definition": texts[kind]})


def policies():
    golden = '[[golden]]\nmatch = "**"\ninputs = "x"\noutputs = "y#"\n'
    waiver = '[[waiver]]\nrule = "not-canonical"\npath = "**/*m*m*m*m#"\nreason = "x"\nowner = "y"\nexpires = 2027-01-01\n'
    path = '[[path]]\nmatch = ["**", "**/*m*m*m#"]\nconsumers = ["1.0.#"]\n'
    texts = {f"{kind}-{count}": text for count in (100, 2000, 30_000) for kind, text in (
        ("files", "files = [" + repeated('"m/**/*#*"', count) + "]\n"),
        ("files-alike", "files = [" + repeated('"m/**"', count) + "]\n"),
        ("excluded", "exclude = [" + repeated('"**/*m*m*m*m*m#"', count) + "]\n"),
        ("consumers", "consumers = [" + repeated('"jaxlib==9.#"', count) + "]\n"),
        ("consumers-alike", "consumers = [" + repeated('"1.0.0"', count) + "]\n"),
        ("consumer-files", "consumer-files = [" + repeated('"c"', count) + "]\n"),
        ("dialect-files", "dialect-files = [" + repeated('"d#"', count) + "]\n"),
        ("custom-calls", "custom-calls = [" + repeated('"*m*m*m*m#"', count) + "]\n"),
        ("goldens", repeated(golden, min(count, 15_000), "")),
        ("waivers", repeated(waiver, min(count, 8_000), "")),
        ("paths", repeated(path, min(count, 12_000), "")),
        ("rules", "[rules]\n" + repeated('rule-# = "error"', count, "\n") + "\n"),
    )}
    texts |= {
        "stars": 'files = ["m/' + "**/" * 30_000 + '*m"]\n',
        "stars-with-names": 'exclude = ["' + "**/*m*/" * 50_000 + '"]\n',
        "stars-in-a-name": 'exclude = ["**/' + "*m" * 200_000 + 'x"]\n',
        "class": 'exclude = ["**[' + "a" * 400_000 + ']"]\n',
        "class-without-an-end": 'exclude = ["**[' + "m" * 400_000 + '"]\n',
        "classes": 'exclude = ["**' + "[m-n]" * 100_000 + '"]\n',
        "baseline": 'baseline = "' + "../" * 300_000 + '"\n',
        "name-of-a-file": 'consumer-files = ["' + "a/" * 400_000 + '"]\n',
        **{f"toml-{kind}": text for kind, text in toml()},
    }
    programs = {f"m/{'m' * 100}{i}.mlir": SUM for i in range(60)}
    for kind, text in texts.items():
        yield Case(f"policy-{kind}", SUM, ("check --policy=policy", "check --policy=policy --json m", "check --policy=policy --report=html=out m",
                                           "check --policy=policy --report=sarif=out m"),
                   {"policy": text, "c": '{"consumers": []}', **programs})
        if kind.startswith("toml"):
            yield Case(f"migration-{kind}", SUM, ("archive init a ; archive add IN --name=m --archive=a ; archive migrate --policy=policy --archive=a",), {"policy": text})
    for kind in ("*m" * 2000, "**/*m" * 800, "[" + "m" * 4000 + "]", "**" * 4000, "?" * 100_000):
        yield Case(f"pattern-{kind[:6]}", SUM, (f"verify 'm/{kind}'", f"diff 'm/{kind}' m", f"'m/{kind}' --out-dir=out"), programs)


def outside():
    """Constants that are in files of tensors."""
    def tensors(header, data=bytes(4)):
        return struct.pack("<Q", len(header)) + header.encode() + data
    one = '"%s":{"dtype":"F32","shape":[],"data_offsets":[0,4]}'
    files = {
        "nested": tensors('{"a":' * 200_000),
        "many": tensors("{" + ",".join(one % f"t{i}" for i in range(15_000)) + "}"),
        "alike": tensors("{" + ",".join([one % "a"] * 15_000) + "}"),
        "shape": tensors('{"a":{"dtype":"F32","shape":[' + ",".join(["1"] * 300_000) + '],"data_offsets":[0,4]}}'),
        "name": tensors("{" + one % ("a" * 900_000) + "}"),
        "size": struct.pack("<Q", 2**63) + b"{}",
        "text": tensors('{"__metadata__":{' + ",".join(f'"k{i}":"v"' for i in range(60_000)) + "}," + one % "a" + "}"),
    }
    entry = '      w#: "sha256:%s size:%s alignment:64 file:weights key:w#"'
    groups = {
        "many": repeated(entry % ("0" * 64, 4), 8_000, ",\n"),
        "size": entry.replace("#", "0") % ("0" * 64, 2**62),
        "file": '      w0: "sha256:' + "0" * 64 + " size:4 alignment:64 file:" + "../" * 200_000 + ' key:w0"',
        "words": '      w0: "' + "sha256:" * 100_000 + '"',
    }
    for kind, group in groups.items():
        count = 8_000 if kind == "many" else 1
        text = function("".join(f"  %{i} = stablehlo.constant dense_resource<w{i}> : tensor<f32>\n" for i in range(count)) + "  return")
        yield Case(f"outside-{kind}", text + "{-#\n  external_resources: {\n    shlo_outside: {\n" + group + "\n    }\n  }\n#-}\n",
                   ("IN", "pack IN --weights=weights -o out", "unpack IN -o out.shlo", "eval IN", "inspect IN --json"), {"weights": files["many"]})
    for kind, data in files.items():
        yield Case(f"weights-{kind}", SUM, ("pack IN --weights=weights -o out", "eval IN --inputs=weights", "inspect weights", "archive init a ; archive add IN --weights=weights --name=m --archive=a"),
                   {"weights": data})


def lists():
    """Documents of JSON."""
    consumers = {
        "nested": "[" * 500_000,
        "nested-entries": '{"consumers": [{"package":' + '{"a":' * 100_000 + "1" + "}" * 100_000 + "}]}",
        "many": json.dumps({"consumers": [{"package": "p", "version": f"{i}", "stablehlo": "1.4.0"} for i in range(14_000)]}),
        "number": '{"consumers": ' + "9" * 900_000 + "}",
        "key": '{"' + "a" * 900_000 + '": 1}',
        "keys-alike": "{" + ",".join(['"consumers": []'] * 55_000) + "}",
    }
    for kind, text in consumers.items():
        yield Case(f"consumers-{kind}-in-a-policy", SUM, ("check --policy=policy m.mlir", "IN --consumers=c --for=p==1"),
                   {"c": text, "m.mlir": SUM, "policy": "consumer-files = ['c']\nconsumers = [" + repeated('"p==#"', 100) + "]\n"})


FAMILIES = (dialects, policies, outside, lists)
