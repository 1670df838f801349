"""Signatures: what a function takes and returns, with the names that its framework gave."""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING, Any, Iterator

from ._arrays import dtype_of
from ._checked import checked
from ._html import table
from ._printed import counted, printed

if TYPE_CHECKING:
    import numpy as np

    from ._walk import Function, Type, Value


@dataclasses.dataclass(frozen=True)
class SignatureValue:
    """An argument or a result of a function."""

    name: str
    """The name: ``"args[0]['b1']"`` and ``"result[0]"`` in a ``jax.export`` file, otherwise as in `label`."""
    label: str
    """The name in the program: from jax's Python function (``"params['b1']"``), or ``"x"`` for ``%x`` of a text; may be
    empty."""
    index: int | None
    """Index among the arguments or results of the program; None for an argument that is not used, which the program
    does not have."""
    type: str
    """``"tensor<?x4xf32>"``; empty if the program does not have it."""
    element: str
    """Type of the elements, ``"f32"``."""
    shape: tuple[int | str | None, ...] | None
    """Dimensions: numbers, expressions of symbolic dimensions (``"2*n"``), or None for an unknown one."""
    sharding: str | None
    """Sharding as text; None if there is none."""
    memory: str
    """Memory that it is in, ``"host"``; empty for the device's."""
    donated: bool
    """Whether the caller gives the argument's memory away."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of its elements. Raises `UnsupportedError` if NumPy has none."""
        return dtype_of(self.element)

    def __str__(self) -> str:
        dimensions = "..." if self.shape is None else ", ".join("?" if d is None else str(d) for d in self.shape)
        text = f"{printed(self.name, 'name')}: {printed(self.element, 'name')}[{dimensions}]"
        text += f" sharded {printed(self.sharding, 'name')}" if self.sharding else ""
        text += f" in memory of {printed(self.memory, 'name')}" if self.memory else ""
        return text + (" donated" if self.donated else "") + (" unused" if self.index is None else "")


@checked
class Signature:
    """The arguments and results of a function."""

    def __init__(self, name: str, arguments: list[SignatureValue], results: list[SignatureValue], facts: dict[str, Any]):
        self.name = name
        """The name of the function; of the one that a container exports, its name there."""
        self.arguments = arguments
        """The arguments in the order in which the caller passes them."""
        self.results = results
        """The results."""
        self.platforms: tuple[str, ...] = tuple(facts.get("platforms", ()))
        """The platforms that jax exported it for."""
        self.devices: int | None = facts.get("devices")
        """The number of devices that jax exported it for."""
        self.mesh: dict[str, int] | None = facts.get("mesh")
        """The sizes of the axes of its mesh, by name; None if there is no mesh."""

    @property
    def symbols(self) -> tuple[str, ...]:
        """The symbolic dimensions of arguments, in the order in which they are first named."""
        texts = [d for value in self.arguments for d in value.shape or () if isinstance(d, str)]
        names = [name for text in texts for name in re.findall(r"[^\W\d]\w*", text)]
        return tuple(dict.fromkeys(name for name in names if name not in ("floordiv", "mod", "max", "min", "non_negative")))

    def __getitem__(self, name: str | int) -> SignatureValue:
        """Returns an argument by its name or label, or by its position. Raises `NotFoundError` for another name."""
        from ._binding import by_name

        return self.arguments[by_name(self, name) if isinstance(name, str) else name]

    def __iter__(self) -> Iterator[SignatureValue]:
        return iter(self.arguments)

    def __len__(self) -> int:
        """The number of arguments."""
        return len(self.arguments)

    def __contains__(self, name: object) -> bool:
        """Whether there is an argument of a name or label."""
        return name in (known(self) if isinstance(name, str) else self.arguments)

    def _ipython_key_completions_(self) -> list[str]:
        return list(known(self))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Signature) and vars(self) == vars(other)

    def __str__(self) -> str:
        lines = [printed(self.name, "name"), *(f"  in  {a}" for a in self.arguments), *(f"  out {r}" for r in self.results)]
        if self.mesh is not None:
            lines.append("  mesh {" + ", ".join(f"{printed(k, 'name')}: {n}" for k, n in self.mesh.items()) + "}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        counts = f"{counted(len(self.arguments), 'argument')}, {counted(len(self.results), 'result')}"
        return f"<shlo.Signature {printed(self.name, 'name')}: {counts}>"

    def _repr_html_(self) -> str:
        sides = [("in", value) for value in self.arguments] + [("out", value) for value in self.results]
        rows = [(side, v.name, v.element, v.shape, v.sharding or "", "donated" if v.donated else "") for side, v in sides]
        return table(("", "name", "elements", "shape", "sharding", ""), rows)


def known(signature: Signature) -> dict[str, int]:
    """Returns the arguments by name, and by label where only one has it."""
    labels = [value.label for value in signature.arguments if value.label]
    names = {value.label: i for i, value in enumerate(signature.arguments) if labels.count(value.label) == 1}
    names.update({value.name: i for i, value in enumerate(signature.arguments)})
    return names


def is_platform_index(attributes: Any) -> bool:
    """Whether an argument, by its attributes, is the index of the platform, which `Program.eval` passes itself."""
    return isinstance(attributes, dict) and attributes.get("jax.global_constant") == "_platform_index"


def attributes_of(function: Function, name: str, count: int) -> list[dict[str, Any]]:
    """Returns the attributes of each argument (``"arg_attrs"``) or result (``"res_attrs"``)."""
    found = function.attributes.get(name)
    values = found.value if found is not None else []
    listed = values if isinstance(values, list) else []
    return [v if isinstance(v, dict) else {} for v in [*listed, *[{}] * (count - len(listed))]]


def _value(type: Type, attributes: dict[str, Any], index: int, name: str, label: str) -> SignatureValue:
    sharding = attributes.get("sdy.sharding", attributes.get("mhlo.sharding"))
    donated = "tf.aliasing_output" in attributes or bool(attributes.get("jax.buffer_donor"))
    memory = attributes.get("mhlo.memory_kind", "")
    return SignatureValue(
        name, label, index, str(type), type.storage or type.kind, type.shape, None if sharding is None else str(sharding),
        str(memory), donated,
    )  # fmt: skip


def _stated(value: SignatureValue | None, entry: dict[str, Any]) -> SignatureValue:
    """Adds what a container states of a value."""
    shape: tuple[int | str | None, ...] | None = None
    if entry["shape"] is not None:
        shape = tuple(int(d) if d.isdigit() else None if d == "?" else d for d in entry["shape"])
    if value is None:
        value = SignatureValue(entry["path"], "", None, "", entry["element_type"], shape, None, "", False)
    return dataclasses.replace(
        value, name=entry["path"], element=entry["element_type"], shape=shape, sharding=entry["sharding"] or value.sharding,
        memory=entry.get("memory", "") or value.memory,
    )  # fmt: skip


def _joined(own: list[SignatureValue], entries: list[dict[str, Any]], kept: list[int]) -> list[SignatureValue]:
    """Joins the values of a program with those of its container: the program lacks unused ones, and may have more in
    front, such as tokens."""
    front = len(own) - len(kept)
    if front < 0:
        return own
    held = dict(zip(kept, own[front:]))
    return own[:front] + [_stated(held.get(i), entry) for i, entry in enumerate(entries)]


def _mesh(function: Function, values: list[SignatureValue]) -> dict[str, int] | None:
    for value in values:
        if found := re.search(r" on \{(.*)\}$", value.sharding or ""):
            pairs = [part.rpartition(": ") for part in found[1].split(", ")]
            if all(size.isdigit() for _, _, size in pairs):
                return {name: int(size) for name, _, size in pairs}
    for op in function.program.ops("sdy.mesh"):
        # One without axes is a device.
        if axes := re.findall(r'"([^"]*)"\s*=\s*(\d+)', str(op.attributes.get("mesh", ""))):
            return {name: int(size) for name, size in axes}
    return None


def _results(function: Function) -> list[SignatureValue]:
    types = function.type.results
    out = []
    for i, (type, attributes) in enumerate(zip(types, attributes_of(function, "res_attrs", len(types)))):
        info = attributes.get("jax.result_info")
        name = f"result[{i}]" if len(types) > 1 else "result"
        if isinstance(info, str):
            name = info if info.startswith("result") else f"result{info}"
        out.append(_value(type, attributes, i, name, ""))
    return out


def signature_of(function: Function) -> Signature:
    """Returns the signature of a function, from its container if the container exports it."""
    types, values = function.type.inputs, function.arguments
    arguments = []
    for i, (type, attributes) in enumerate(zip(types, attributes_of(function, "arg_attrs", len(types)))):
        label = _label(values[i]) if i < len(values) else ""
        if not is_platform_index(attributes):
            arguments.append(_value(type, attributes, i, label or f"argument {i}", label))
    results = _results(function)
    program = function.program
    name, facts = function.symbol or "", dict[str, Any]()
    container = program.container if function == _entry(function) else None
    entries = [s for s in (container or {}).get("signatures", ()) if s["name"] == program.name]
    if entries:
        name = entries[0]["name"]
        facts = next((dict(p) for p in (container or {})["programs"] if p["name"] == name), {})
        inputs, outputs = entries[0]["inputs"], entries[0]["outputs"]
        kept = [int(i) for i in facts.get("kept_inputs", range(len(inputs)))]
        arguments = _joined(arguments, inputs, kept)
        results = _joined(results, outputs, list(range(len(outputs))))
    facts["mesh"] = _mesh(function, arguments + results)
    return Signature(name, arguments, results, facts)


def _label(value: Value) -> str:
    return value.name


def _entry(function: Function) -> Function | None:
    try:
        return function.program.main
    except KeyError:
        return None
