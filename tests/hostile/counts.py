"""Huge numbers, long words, and too many of everything."""
from hostile.case import Case, READ, RUN, REDUCE, function

NOTHING = "  return"
CHECK = ("IN", "verify IN", "verify IN --json", "IN --emit=mlirbc -o out.mlirbc", "IN --emit=shlo -o out.shlo", "inspect IN",
         "roundtrip IN")


def constant(value, type_):
    return function(f"  %0 = stablehlo.constant dense<{value}> : {type_}\n  return %0 : {type_}", "", type_)


def numbers():
    digits = "9" * 100_000
    shapes = {
        "ranks-10000": "1x" * 10_000, "ranks-400000": "1x" * 400_000, "dynamic-ranks": "?x" * 100_000,
        "elements-62": f"{2**31}x{2**31}x", "elements-64": f"{2**32}x{2**32}x", "elements-63": f"{2**63 - 1}x",
        "elements-zero": f"{2**62}x" * 50 + "0x", "digits": f"{digits}x", "zeros": "0" * 100_000 + "x",
    }
    for kind, dims in shapes.items():
        yield Case(f"shape-{kind}", function(f"  return %a : tensor<{dims}f32>", f"%a: tensor<{dims}f32>", f"tensor<{dims}f32>"),
                   READ + RUN if len(dims) < 1000 else CHECK)
        yield Case(f"shape-{kind}-constant", constant("0.0", f"tensor<{dims}f32>"), READ[:4] + RUN if len(dims) < 1000 else CHECK)
    values = {
        "integer": (digits, "tensor<i32>"), "float": (digits + "." + digits, "tensor<f64>"), "small": ("0." + "0" * 100_000 + "1", "tensor<f32>"),
        "exponent": ("1.0e" + digits, "tensor<f64>"), "minus-exponent": ("1.0e-" + digits, "tensor<f8E5M2>"),
        "hex": ("0x" + "F" * 200_000, "tensor<f64>"), "hex-string": ('"0x' + "0" * 900_001 + '"', "tensor<4xf32>"),
        "hex-odd": ('"0x0"', f"tensor<{2**40}xf32>"), "hex-splat": ('"0x00000000"', f"tensor<{2**40}xf32>"),
        "hex-nothing": ('"0x"', f"tensor<{2**40}xi1>"), "hex-short": ('"0x00"', f"tensor<{2**61}xf64>"),
        "complex": ("(" + digits + ", " + digits + ")", "tensor<complex<f32>>"),
        "rows": ("[" + "[]," * 200_000 + "[]]", "tensor<200001x0xf32>"), "lists": ("[" + "1," * 400_000 + "1]", "tensor<400001xi8>"),
        "wide": ("1", "tensor<i16777215>"), "wide-splat": (digits[:20_000], "tensor<2xi16777215>"), "too-wide": ("1", f"tensor<i{digits}>"),
        "strings": ("[" + '"' + "s" * 20 + '",' * 1 + '"t"]', "tensor<2x!other.string>"),
    }
    for kind, (value, type_) in values.items():
        yield Case(f"constant-{kind}", constant(value, type_), CHECK + ("eval IN", "IN --fold"))
    for size in (2**20, 2**26, 2**40, 2**60):
        for element, value in (("f32", "1.5"), ("i1", "true"), ("complex<f64>", "(1.0, 2.0)"), ("i4", "1"), ("!quant.uniform<i8:f32, 0.5>", "1")):
            if size == 2**40 or element in ("f32", "i4"):
                yield Case(f"splat-{size.bit_length() - 1}-{element.split(':')[0].strip('!<')}", constant(value, f"tensor<{size}x{element}>"),
                           READ + RUN)
    yield Case("array-long", '"other.op"() {v = array<i64: ' + "1," * 400_000 + "1>} : () -> ()", CHECK)
    yield Case("array-of-booleans", '"other.op"() {v = array<i1: ' + "true," * 150_000 + "false>} : () -> ()", CHECK)
    yield Case("array-mixed", '"other.op"() {v = [' + ", ".join(f"{i} : i{i % 9999 + 1}" for i in range(50_000)) + "]} : () -> ()", CHECK)
    scales = ",".join("0.5:1" for _ in range(150_000))
    yield Case("quantized-axis", function(NOTHING, f"%a: tensor<150000x!quant.uniform<i8:f32:0, {{{scales}}}>>"), CHECK)
    yield Case("quantized-axis-many-uses", f"!q = !quant.uniform<i8:f32:0, {{{scales[:60_000]}}}>\n" + function(
        "\n".join(f"  %{i} = stablehlo.add %a, %a : tensor<10000x!q>" for i in range(2000)) + "\n  return", "%a: tensor<10000x!q>"), CHECK)
    yield Case("quantized-blocks", function(
        NOTHING, f"%a: tensor<{2**31}x{2**31}x!quant.uniform<i8:f32:{{0:1, 1:1}}, {{{{0.5, 0.5}}}}>>"), CHECK)
    yield Case("quantized-blocks-nested", function(
        NOTHING, "%a: tensor<2x!quant.uniform<i8:f32:{0:1}, " + "{" * 100_000 + "0.5" + "}" * 100_000 + ">>"), CHECK)
    yield Case("bounds", function(NOTHING, f"%a: tensor<{'?x' * 20_000}f32, #stablehlo.bounds<{', '.join(['9'] * 20_000)}>>"), CHECK)


def words():
    long = "x" * 900_000
    yield Case("name-of-value", function(f"  return %{long} : tensor<f32>", f"%{long[:50_000]}: tensor<f32>"), CHECK)
    yield Case("name-of-function", function(NOTHING, name=long), CHECK)
    yield Case("name-of-op", f'"other.{long}"() : () -> ()', CHECK)
    yield Case("name-of-unknown-op", f"stablehlo.{long} %a", CHECK)
    yield Case("name-of-callee", function(f"  call @{long}() : () -> ()\n  return"), CHECK)
    yield Case("name-of-attribute", f'"other.op"() {{{long} = 1}} : () -> ()', CHECK)
    yield Case("name-of-type", function(NOTHING, f"%a: {long}"), CHECK)
    yield Case("name-of-dialect", function(NOTHING, f"%a: !{long}.t"), CHECK)
    yield Case("name-of-enum", function(f"  %0 = stablehlo.compare {long}, %a, %a : (tensor<f32>, tensor<f32>) -> tensor<i1>\n  return",
                                        "%a: tensor<f32>"), CHECK)
    yield Case("name-of-file", function(f'  return loc("{long}":1:1)'), CHECK + ("IN --locations",))
    yield Case("name-misspelled", function("\n".join(f"  stablehlo.ad{'d' * (i % 60)}x{i} %a" for i in range(10_000))), CHECK)
    yield Case("string", f'"other.op"() {{v = "{long}"}} : () -> ()', CHECK + ("strings IN",))
    yield Case("string-of-escapes", '"other.op"() {v = "' + "\\00\\FF\\0A" * 90_000 + '"} : () -> ()', CHECK + ("strings IN", "IN --json"))
    yield Case("string-unclosed", '"' + long, CHECK)
    yield Case("one-line", "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {" + "".join(
        f"%{i + 1} = stablehlo.add %{i if i else 'a'}, %a : tensor<2xf32> " for i in range(12_000)) + "return %x : tensor<2xf32> }", CHECK)
    yield Case("one-line-of-errors", "%a " * 300_000, CHECK)
    yield Case("lines", "\n" * 1_000_000, CHECK)
    yield Case("comment", "//" + long, CHECK)
    yield Case("bytes-not-text", "\\x80" * 1000 + "\u00ff" * 300_000, CHECK)
    yield Case("nul-bytes", b"\0" * 1_000_000, CHECK)
    yield Case("custom-call-config", function(
        f'  %0 = stablehlo.custom_call @t(%a) {{backend_config = "{long}"}} : (tensor<f32>) -> tensor<f32>\n  return', "%a: tensor<f32>"),
        CHECK + RUN[:4])


def many():
    add = "stablehlo.add %a, %a : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>"
    yield Case("many-errors", function("\n".join(f"  %{i} = {add}" for i in range(10_000)) + "\n  return", "%a: tensor<2xf32>"),
               READ + ("IN --lenient",) + REDUCE[1:2])
    yield Case("many-errors-in-functions", "".join(
        function(f"  %0 = {add}\n  return", "%a: tensor<2xf32>", name=f"f{i}") for i in range(6_000)), CHECK)
    yield Case("many-warnings", function("\n".join(
        f"  %{i} = stablehlo.iota dim = 9 : tensor<2xf32>" for i in range(15_000)) + "\n  return"), CHECK + ("IN --lenient --json",))
    yield Case("many-blockers", function("\n".join(
        f"  %{i} = stablehlo.tan %a : tensor<2xf8E3M4>" for i in range(15_000)) + "\n  return", "%a: tensor<2xf8E3M4>"),
        READ + ("IN --target=0.9.0 --allow-outside-window", "IN --target=0.9.0 --allow-outside-window --json") + REDUCE[2:])
    yield Case("many-expansions", function("\n".join(
        f"  %{i} = chlo.{'digamma lgamma erf_inv bessel_i1e polygamma'.split()[i % 4]} %a : tensor<2xf64> -> tensor<2xf64>" for i in range(12_000)) + "\n  return",
        "%a: tensor<2xf64>"), ("IN --expand", "IN --expand --target=1.0.0 --allow-outside-window --emit=shlo -o out", "verify IN", "IN --fold --expand"))
    chunk = "// -----\n"
    yield Case("many-chunks", chunk * 100_000, CHECK)
    yield Case("many-chunks-with-ops", ("func.func @f() { return }\n" + chunk) * 20_000, CHECK)
    yield Case("many-chunks-with-errors", ("x\n" + chunk) * 80_000, CHECK)
    functions = "".join(function(NOTHING, name=f"f{i}") for i in range(15_000))
    yield Case("many-functions", functions, READ + ("prove IN IN",) + REDUCE[:1])
    yield Case("many-functions-alike", function(NOTHING, name="f") * 20_000, CHECK)
    yield Case("many-aliases", "".join(f"!t{i} = tensor<{i}xf32>\n#a{i} = {i}\n" for i in range(20_000)) + functions[:2000], CHECK)
    yield Case("many-aliases-alike", "!t = f32\n" * 80_000, CHECK)
    yield Case("many-types", function(NOTHING, ", ".join(f"%a{i}: tensor<{i}x{i}xf32>" for i in range(30_000))), CHECK)
    yield Case("many-results", function(f'  %0:100000 = "other.op"() : () -> ({", ".join(["f32"] * 100_000)})\n  return'), CHECK)
    yield Case("many-results-claimed", function('  %0:4294967295 = "other.op"() : () -> f32\n  return'), CHECK)
    yield Case("many-operands", function(f'  "other.op"({", ".join(["%a"] * 90_000)}) : ({", ".join(["f32"] * 90_000)}) -> ()\n  return', "%a: f32"), CHECK)
    yield Case("many-concatenated", function(
        f'  %0 = stablehlo.concatenate {", ".join(["%a"] * 40_000)}, dim = 0 : ({", ".join(["tensor<9xf32>"] * 40_000)}) -> tensor<360000xf32>\n'
        "  return %0 : tensor<360000xf32>", "%a: tensor<9xf32>", "tensor<360000xf32>"), CHECK + RUN)
    yield Case("many-attributes", '"other.op"() {' + ", ".join(f"a{i} = {i}" for i in range(60_000)) + "} : () -> ()", CHECK)
    yield Case("many-attributes-alike", '"other.op"() {' + ", ".join(["a = 1"] * 100_000) + "} : () -> ()", CHECK)
    yield Case("many-blocks", '"other.op"() ({\n' + "".join(f'^b{i}:\n  "other.br"()[^b{i // 2}] : () -> ()\n' for i in range(25_000)) + "}) : () -> ()", CHECK)
    yield Case("many-successors", '"other.op"() ({\n^b:\n  "other.br"()[' + ", ".join(["^b"] * 150_000) + "] : () -> ()\n}) : () -> ()", CHECK)
    yield Case("many-regions", '"other.op"() (' + ", ".join(["{}"] * 150_000) + ") : () -> ()", CHECK)
    yield Case("many-block-arguments", '"other.op"() ({\n^b(' + ", ".join(f"%{i}: f32" for i in range(60_000)) + '):\n  "other.end"() : () -> ()\n}) : () -> ()', CHECK)
    yield Case("many-references-forward", '"other.op"() ({\n' + "".join(f'  "other.use"(%v{i}) : (f32) -> ()\n' for i in range(25_000)) + "}) : () -> ()", CHECK)
    yield Case("many-locations", function("\n".join(f'  "other.op"() : () -> () loc("f{i}.py":{i}:{i})' for i in range(12_000)) + "\n  return"),
               READ)
    yield Case("many-meshes", "".join(f'sdy.mesh @m{i} = <["x"={2**40}, "y"={i + 1}]>\n' for i in range(15_000)), CHECK)
    yield Case("mesh-of-many-devices", f'sdy.mesh @m = <["x"={2**40}, "y"={2**20}]>\n' + function(
        "  return", '%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {"y"}]>}'), READ + RUN)
    yield Case("mesh-of-many-axes", "sdy.mesh @m = <[" + ", ".join(f'"a{i}"=2' for i in range(40_000)) + "]>\n", CHECK)
    yield Case("mesh-with-device-ids", f'sdy.mesh @m = <["x"={2**40}], device_ids=[' + ", ".join(map(str, range(60_000))) + "]>\n", CHECK)
    for kind, sharding in {"tile": f"{{devices=[{2**20},{2**20}]<=[{2**40}]}}", "ids": "{devices=[100000]" + ",".join(map(str, range(100_000))) + "}",
                           "tuple": "{" + "{replicated}," * 50_000 + "{replicated}}", "nested": "{" * 100_000}.items():
        yield Case(f"hlo-sharding-{kind}", function(NOTHING, f'%a: tensor<{2**20}x{2**20}xf32> {{mhlo.sharding = "{sharding}"}}'), CHECK + RUN[:1])
    blob = "0x04000000" + "00" * 400_000
    yield Case("resources", "module {\n" + constant("dense_resource<blob>", "tensor<100000xf32>").replace("dense<dense_resource<blob>>", "dense_resource<blob>") +
               '}\n{-#\n  dialect_resources: {\n    builtin: {\n      blob: "' + blob + '"\n    }\n  }\n#-}\n', CHECK + RUN[:4])
    yield Case("resources-alike", "module {}\n{-#\n  dialect_resources: {\n    builtin: {\n" +
               ",\n".join(f'      b{i % 7}: "0x0400000000000000"' for i in range(20_000)) + "\n    }\n  }\n#-}\n", CHECK)
    yield Case("resources-many-uses", "module {\n" + "".join(
        function(f"  %0 = stablehlo.constant dense_resource<blob> : tensor<25000xf32>\n  return", name=f"f{i}") for i in range(2_000)) +
        '}\n{-#\n  dialect_resources: {\n    builtin: {\n      blob: "0x04000000' + "00" * 100_000 + '"\n    }\n  }\n#-}\n', CHECK)


FAMILIES = (numbers, words, many)
