"""A hostile input: small files with a huge effect, and the commands that must survive them."""
import dataclasses

# Commands of programs as such. IN is the input; files of the case go by their names.
READ = (
    "IN",
    "IN --emit=generic",
    "IN --emit=mlirbc -o out.mlirbc",
    "IN --emit=shlo -o out.shlo",
    "IN --emit=vhlo",
    "IN --locations",
    "IN --json",
    "IN --target=1.0.0 --allow-outside-window --expand --lenient",
    "verify IN",
    "verify IN --json",
    "inspect IN",
    "inspect IN --matrix",
    "inspect IN --json",
    "strings IN",
    "roundtrip IN",
    "diff IN IN",
    "diff IN IN --json --locations",
    "check --no-policy --for=1.0.0 --for=jaxlib==0.4.30 IN",
    "check --no-policy --rule=not-canonical=error --json IN",
)
# Commands of an archive that has the input. The commands before the last one need not succeed.
_ADDED = "archive init a ; archive add IN --name=m --archive=a ; "
ARCHIVE = (
    "archive init a ; archive add IN --name=m --archive=a",
    _ADDED + "archive add IN --name=n --parent=m --meta=k=v --archive=a --json",
    _ADDED + "archive verify --files --certificates --archive=a",
    _ADDED + "archive show m --archive=a --json",
    _ADDED + "archive get m --target=1.0.0 --allow-outside-window --expand -o out --archive=a",
    _ADDED + "archive diff m m --archive=a",
    _ADDED + "archive migrate --target=1.0.0 --allow-outside-window --expand --at-least=sampled --archive=a",
    _ADDED + "archive rebuild --archive=a",
)
# Commands that evaluate.
RUN = (
    "eval IN --inputs=random:1",
    "eval IN --inputs=random:1 --json",
    "eval IN --inputs=random:1 --outputs=out.npz",
    "IN --fold",
    "IN --expand-composites --fold --target=1.0.0 --allow-outside-window",
    "archive init a ; archive add IN --name=m --golden=random:1 --archive=a",
    "prove IN IN",
    "prove IN IN --evaluate-only",
    "IN --prove --target=1.0.0 --allow-outside-window --expand",
)
# Commands that compare with a variant, the file "other".
COMPARE = (
    "prove IN other",
    "prove IN other --certificate=out.json",
    "prove other IN --evaluate-only --counterexample=out.mlir",
    "prove IN other --json",
    "diff IN other",
    "diff IN other --json --limit=0",
)
REDUCE = (
    "reduce IN --still=true",
    "reduce IN --still-invalid",
    "reduce IN --still-blocked=1.0.0",
)


@dataclasses.dataclass
class Case:
    name: str
    content: bytes | str
    commands: tuple = READ + ARCHIVE
    files: dict = dataclasses.field(default_factory=dict)


def with_other(name, content, other, commands=COMPARE):
    return Case(name, content, tuple(commands), {"other": other})


def function(body, arguments="", results="", name="main"):
    """A function in text; `results` are types, as in a signature."""
    arrow = f" -> ({results})" if results else ""
    return f"func.func @{name}({arguments}){arrow} {{\n{body}\n}}\n"
