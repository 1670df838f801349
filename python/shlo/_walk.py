"""The parts of a program: ops, values, blocks, regions, types, attributes and locations.

Each is a view that keeps the program alive. Two views are equal if they show the same part of the same program.
"""

from __future__ import annotations

import fnmatch
import functools
import math
from typing import TYPE_CHECKING, Any, Iterator, Mapping, NamedTuple, TypeVar, overload

from . import _core
from ._arrays import dtype_of
from ._checked import Count, checked
from ._documented import documented
from ._errors import NotFoundError, not_found, usage_error
from ._html import table
from ._html import text as html_text
from ._printed import counted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ._program import Program
    from ._signature import Signature

_Self = TypeVar("_Self", bound="Part")
_Default = TypeVar("_Default")


class Part:
    """A part of a program."""

    __slots__ = ("program", "_core", "id")
    program: Program
    _core: Any
    id: int
    """Its number in the program; parts of one kind are numbered from 1."""

    def __init__(self, program: Program, id: int):
        self.program = program
        self._core = program._handle
        self.id = id

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, Part) and self.id == other.id and self._core is other._core

    def __hash__(self) -> int:
        return hash((type(self).__name__, self.id))

    # A pickle has the program, once for all of its parts. Numbers may differ there; order does not.
    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError(f"cannot pickle '{type(self).__name__}' object")

    def __copy__(self: _Self) -> _Self:
        return self

    def __deepcopy__(self: _Self, memo: object) -> _Self:
        return self

    def _optional(self: Part, kind: type[_Self], id: int) -> _Self | None:
        return kind(self.program, id) if id else None


class Type(Part):
    """A type. Equal types have equal text, whichever program they are from."""

    __slots__ = ("_found",)
    _found: tuple[Any, ...]

    @property
    def _info(self) -> tuple[Any, ...]:
        try:
            return self._found
        except AttributeError:
            self._found = _core.type_get(self._core, self.id) or (False, None, None, self.id, 0, "", 0, 0)
            return self._found

    @property
    def kind(self) -> str:
        """``"tensor"``, ``"f32"``, ``"function"``, ``"token"``, ``"uniform"``, ..."""
        return str(_core.type_kind(self._core, self.id))

    @property
    def shape(self) -> tuple[int | None, ...] | None:
        """Its dimensions, None for dynamic ones; None for a type without a shape, and for an unranked tensor."""
        found: tuple[int | None, ...] | None = self._info[1]
        return found

    @property
    def bounds(self) -> tuple[int | None, ...] | None:
        """The bounds of its dimensions; None if there are none."""
        found: tuple[int | None, ...] | None = self._info[2]
        return found

    @property
    def rank(self) -> int | None:
        """The number of dimensions; None if they are not known."""
        return None if self.shape is None else len(self.shape)

    @property
    def size(self) -> int | None:
        """The number of elements; None if it is not known."""
        shape = self.shape
        return None if shape is None or None in shape else math.prod(d for d in shape if d is not None)

    @property
    def element(self) -> Type:
        """The element type of a tensor; of a type without a shape, the type itself."""
        return Type(self.program, self._info[3])

    @property
    def encoding(self) -> Attribute | None:
        """The encoding of a tensor."""
        return self._optional(Attribute, self._info[4])

    @property
    def storage(self) -> str | None:
        """The type of elements in memory, ``"f32"``; of quantized elements, the storage type; None for tokens, tuples
        and functions."""
        element = self.element
        if element.kind == "uniform":
            return str(element.fields["storage"])
        return str(element) if self._info[6] else None

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of its elements. Raises `UnsupportedError` if NumPy has none."""
        return dtype_of(self.storage or str(self))

    @property
    def members(self) -> list[Type]:
        """The types in a tuple."""
        found = self.fields.get("types", [])
        return list(found) if isinstance(found, list) else []

    @property
    def inputs(self) -> list[Type]:
        """The argument types of a function."""
        return list(self.fields.get("inputs", []))

    @property
    def results(self) -> list[Type]:
        """The result types of a function."""
        return list(self.fields.get("results", []))

    @property
    def fields(self) -> dict[str, Any]:
        """Its parts by their names in MLIR: of a quantized type ``scale``, ``zero_point``, ..."""
        return _fields(self.program, _core.type_fields(self._core, self.id))

    def __str__(self) -> str:
        return str(_core.type_text(self._core, self.id))

    def __repr__(self) -> str:
        return f"<shlo.Type {self}>"

    def _repr_html_(self) -> str:
        return html_text(str(self), "")

    def __reduce__(self) -> tuple[Any, ...]:
        return _parsed_type, (str(self),)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Type):
            return False
        return self.id == other.id if self._core is other._core else str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))


class Attribute(Part):
    """An attribute. Equal attributes have equal text, whichever program they are from."""

    __slots__ = ()

    @property
    def kind(self) -> str:
        """``"integer"``, ``"string"``, ``"dense"``, ``"array"``, ``"dictionary"``, ``"comparison_direction"``, ..."""
        return str(_core.attr_kind(self._core, self.id))

    @property
    def value(self) -> Any:
        """Its value in Python: a bool, int, float, str, list or dict, a `Type`, an array for elements, the name of an
        enum's case or of a symbol, True for a unit; for others the dictionary of its `fields`, or its text."""
        found = _core.attr_value(self._core, self.id)
        if found is None:
            if self.kind == "unit":
                return True
            if (array := self._elements()) is not None:
                return array
            return str(self) if self.kind == "opaque" else self.fields or str(self)
        kind, value = found
        if kind == "type":
            return Type(self.program, value)
        if kind == "array":
            return [Attribute(self.program, item).value for item in value]
        if kind == "dict":
            return {name: Attribute(self.program, item).value for name, item in value}
        return value

    @property
    def type(self) -> Type | None:
        """The type of an integer, float, string or of elements."""
        return self._optional(Type, _core.attr_type(self._core, self.id))

    @property
    def array(self) -> NDArray[Any]:
        """The elements of ``dense<...>``, ``dense_resource<...>`` or ``array<...>``: a read-only view of the bytes that
        the program was read from, without a copy. Raises `TypeError` for other attributes."""
        found = self._elements()
        if found is None:
            raise usage_error(f"an attribute of kind '{self.kind}' has no elements", type=True)
        return found

    def _elements(self) -> NDArray[Any] | None:
        found = _core.attr_elements(self._core, self.id)
        if found is None:
            return None
        import numpy

        type_id, element, kind, shape, count, splat, view = found
        storage = Type(self.program, type_id or element).storage
        dtype = dtype_of(storage or kind)
        if not type_id:
            shape = (count,)
        if not splat:
            return numpy.ndarray(shape, dtype, buffer=view)
        one: NDArray[Any] = numpy.ndarray((), dtype, buffer=view)
        return numpy.broadcast_to(one, shape)

    @property
    def fields(self) -> dict[str, Any]:
        """Its parts by their names in MLIR, such as ``offset_dims``."""
        return _fields(self.program, _core.attr_fields(self._core, self.id))

    def __str__(self) -> str:
        return str(_core.attr_text(self._core, self.id))

    def __repr__(self) -> str:
        text = str(self)
        return f"<shlo.Attribute {text if len(text) < 200 else text[:200] + '...'}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _parsed_attribute, (str(self), int(self.program.version))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Attribute):
            return False
        return self.id == other.id if self._core is other._core else str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))


class Location(Attribute):
    """Where an op came from."""

    __slots__ = ()

    @property
    def place(self) -> Place | None:
        """The file, line and column that it states, the first one of several; None if it states none."""
        found = _core.location_place(self._core, self.id)
        return None if found is None else Place(*found)

    @property
    def name(self) -> str | None:
        """The name that it states, in jax the path of the op: ``"jit(f)/conv_general_dilated"``; None if it states none."""
        found: Any = self.fields.get("name")
        return found if isinstance(found, str) else None

    @property
    def file(self) -> str | None:
        """The file that it states."""
        return self.place.file if self.place else None

    @property
    def line(self) -> int | None:
        """The line that it states, from 1."""
        return self.place.line if self.place else None

    @property
    def column(self) -> int | None:
        """The column that it states, from 1."""
        return self.place.column if self.place else None

    def __reduce__(self) -> tuple[Any, ...]:
        return _parsed_location, (str(self),)

    def __repr__(self) -> str:
        return f"<shlo.Location {self}>"


@documented
class Place(NamedTuple):
    """A position in a file."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


_TYPES, _ATTRS, _NAMED = 9, 10, 11


def _fields(program: Program, found: list[tuple[str, int, Any]]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for name, kind, value in found:
        if kind == 3:
            value = Type(program, value)
        elif kind == 4:
            value = Attribute(program, value) if value else None
        elif kind == _TYPES:
            value = [Type(program, item) for item in value]
        elif kind == _ATTRS:
            value = [Attribute(program, item) for item in value]
        elif kind == _NAMED:
            value = {key: Attribute(program, item) for key, item in value}
        elif kind == 5:
            continue  # the bytes of elements: see Attribute.array
        out[name] = value
    return out


class Value(Part):
    """A result of an op, or an argument of a block."""

    __slots__ = ()

    @property
    def type(self) -> Type:
        """Its type."""
        return Type(self.program, _core.value_type(self._core, self.id))

    @property
    def name(self) -> str:
        """The name of a block's argument, from its location or from the text of the program (``"x"`` for
        ``%x``). Empty without a name, and for results of ops."""
        return str(_core.value_name(self._core, self.id))

    @property
    def owner(self) -> Operation | Block:
        """The op that it is a result of, or the block that it is an argument of."""
        op = _core.value_op(self._core, self.id)
        if op:
            return operation(self.program, op)
        return Block(self.program, _core.value_block(self._core, self.id))

    @property
    def index(self) -> int:
        """Its index among the results, or the arguments."""
        return int(_core.value_index(self._core, self.id))

    @property
    def shape(self) -> tuple[int | None, ...] | None:
        """The dimensions of its type: see `Type.shape`."""
        return self.type.shape

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of its elements: see `Type.dtype`."""
        return self.type.dtype

    @property
    def uses(self) -> list[Use]:
        """The operands that it is. The first call for a program takes time in proportion to the program."""
        return [Use(operation(self.program, op), i) for op, i in _core.value_uses(self._core, self.id)]

    @property
    def users(self) -> list[Operation]:
        """The ops that use it, each once."""
        return list(dict.fromkeys(use.op for use in self.uses))

    def __reduce__(self) -> tuple[Any, ...]:
        owner = self.owner
        return _item, (owner, "results" if isinstance(owner, Operation) else "arguments", self.index)

    def __repr__(self) -> str:
        owner = self.owner
        of = owner.op_name if isinstance(owner, Operation) else "argument"
        return f"<shlo.Value {of}#{self.index}: {self.type}>"


@documented
class Use(NamedTuple):
    """A use of a value: an operand of an op."""

    op: Operation
    operand: int
    """Index of the operand."""


class Block(Part):
    """A block of a region."""

    __slots__ = ()

    @property
    def arguments(self) -> list[Value]:
        """Its arguments."""
        return [Value(self.program, value) for value in _core.block_args(self._core, self.id)]

    @property
    def ops(self) -> list[Operation]:
        """Its ops, without those in their regions."""
        return [operation(self.program, op) for op in _core.block_ops(self._core, self.id)]

    @property
    def region(self) -> Region:
        """The region that it is in."""
        return Region(self.program, _core.block_region(self._core, self.id))

    @property
    def terminator(self) -> Operation | None:
        """Its last op."""
        ops = self.ops
        return ops[-1] if ops else None

    def __iter__(self) -> Iterator[Operation]:
        return iter(self.ops)

    def __len__(self) -> int:
        return len(_core.block_ops(self._core, self.id))

    def __reduce__(self) -> tuple[Any, ...]:
        return _item, (self.region, "blocks", self.region.blocks.index(self))

    def __repr__(self) -> str:
        return f"<shlo.Block, {counted(len(self), 'op')}>"


class Region(Part):
    """A region of an op."""

    __slots__ = ()

    @property
    def blocks(self) -> list[Block]:
        """Its blocks."""
        return [Block(self.program, block) for block in _core.region_blocks(self._core, self.id)]

    @property
    def op(self) -> Operation:
        """The op that it belongs to."""
        return operation(self.program, _core.region_op(self._core, self.id))

    def __iter__(self) -> Iterator[Block]:
        return iter(self.blocks)

    def __reduce__(self) -> tuple[Any, ...]:
        return _item, (self.op, "regions", self.op.regions.index(self))

    def __repr__(self) -> str:
        return f"<shlo.Region of {self.op.op_name}, {counted(len(self.blocks), 'block')}>"


@checked
class Attributes(Mapping[str, Attribute]):
    """The attributes of an op that are written, by name. An inherent attribute that is absent has its default.

    Attributes that text writes as one are found by both names: ``attributes["lhs_contracting_dimensions"]``, and
    ``attributes["dot_dimension_numbers"].value["lhs_contracting_dimensions"]``. Iteration has the former.
    """

    __slots__ = ("op", "_rows")
    op: Operation
    """The op that has them."""

    def __init__(self, op: Operation):
        self.op = op
        self._rows: list[tuple[str, int, bool]] = _core.op_attributes(op._core, op.id)

    def __getitem__(self, name: str) -> Attribute:
        """Returns an attribute. Raises `NotFoundError`, a `KeyError`, if none of that name is written."""
        if (found := self._find(name)) is None:
            known = [*self, *self.groups]
            from ._ops import defined_attributes

            if name in defined_attributes(self.op.op_name):
                message = f"'{self.op.op_name}' does not state its attribute '{name}', which has its default"
                raise not_found(message, name, known, there="it states")
            raise not_found(f"'{self.op.op_name}' has no attribute '{name}'", str(name), known)
        return found

    def _find(self, name: object) -> Attribute | None:
        if not isinstance(name, str):
            return None
        if found := _core.op_attr(self.op._core, self.op.id, name):
            return Attribute(self.op.program, found)
        groups = self.groups
        if name not in groups:
            return None
        return _parsed_attribute(_core.op_attr_group_text(self.op._core, self.op.id, groups.index(name)), int(self.op.program.version))

    def __contains__(self, name: object) -> bool:
        return self._find(name) is not None

    @overload
    def get(self, key: str, /) -> Attribute | None: ...
    @overload
    def get(self, key: str, /, default: Attribute) -> Attribute: ...
    @overload
    def get(self, key: str, /, default: _Default) -> Attribute | _Default: ...
    def get(self, key: str, /, default: Any = None) -> Any:
        """Returns an attribute, or a default if none of that name is written."""
        found = self._find(key)
        return default if found is None else found

    @property
    def groups(self) -> list[str]:
        """The names under which text writes several attributes as one."""
        return list(_core.op_attr_groups(self.op._core, self.op.id))

    def _ipython_key_completions_(self) -> list[str]:
        return [*self, *self.groups]

    def __iter__(self) -> Iterator[str]:
        return (name for name, _, _ in self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def inherent(self) -> dict[str, Attribute]:
        """The ones that the op defines."""
        return {name: Attribute(self.op.program, value) for name, value, inherent in self._rows if inherent}

    @property
    def discardable(self) -> dict[str, Attribute]:
        """All others."""
        return {name: Attribute(self.op.program, value) for name, value, inherent in self._rows if not inherent}

    def __repr__(self) -> str:
        return "{" + ", ".join(f"{name!r}: {value}" for name, value in self.items()) + "}"


@functools.lru_cache(256)
def _parsed_attribute(text: str, version: int) -> Attribute:
    from ._program import loads

    program = loads(f"func.func private @f() attributes {{group = {text}}}", version=version)
    return program["f"].attributes["group"]


def _op_name(program: Program, name: str) -> str:
    """Returns the full name of an op. Raises `NotFoundError` if there cannot be one."""
    from ._ops import table_of_ops

    try:
        return table_of_ops[name].name
    except NotFoundError:
        # Other dialects may have any op, and a program that was read unverified, too.
        dialect, dot, _ = name.partition(".")
        closed = not dot or dialect in ("stablehlo", "vhlo", "chlo", "func", "builtin")
        if closed and not _core.walk(program._handle, _core.module_op(program._handle), name):
            raise
    return name


def _check_pattern(pattern: str) -> None:
    """Raises `NotFoundError` for a pattern that no op of a known dialect can match."""
    from ._ops import table_of_ops

    dialect = pattern.partition(".")[0]
    if dialect == "vhlo":
        known = [form["vhlo"] for op in table_of_ops.values() for form in op.revisions if form["vhlo"]]
    else:
        known = [name for name in table_of_ops if name.startswith(dialect + ".")]
    if known and not any(fnmatch.fnmatchcase(name, pattern) for name in known):
        raise not_found(f"no op of '{dialect}' matches '{pattern}'", pattern, known)


@checked
class Operation(Part):
    """An op."""

    __slots__ = ()

    def __reduce__(self) -> tuple[Any, ...]:
        module = _core.module_op(self._core)
        return _nth_op, (self.program, None if self.id == module else _core.walk(self._core, module, None).index(self.id))

    @property
    def name(self) -> str:
        """``"stablehlo.add"``; of a `Function`, its symbol name."""
        return self.op_name

    @property
    def op_name(self) -> str:
        """``"stablehlo.add"``, ``"func.func"``."""
        return str(_core.op_name(self._core, self.id))

    @property
    def vhlo_name(self) -> str | None:
        """Its name in VHLO at the program's version, ``"vhlo.add_v1"``; None if it has none."""
        return _core.op_vhlo_name(self._core, self.id) or None

    @property
    def symbol(self) -> str | None:
        """Its symbol name; None for ops that are not symbols."""
        return _core.op_symbol(self._core, self.id) or None

    @property
    def operands(self) -> list[Value]:
        """Its operands."""
        return [Value(self.program, value) for value in _core.op_operands(self._core, self.id)]

    @property
    def results(self) -> list[Value]:
        """Its results."""
        return [Value(self.program, value) for value in _core.op_results(self._core, self.id)]

    @property
    def result(self) -> Value:
        """Its only result. Raises `ValueError` if it has none or several."""
        results = self.results
        if len(results) != 1:
            raise usage_error(f"'{self.op_name}' has {counted(len(results), 'result')}")
        return results[0]

    @property
    def regions(self) -> list[Region]:
        """Its regions."""
        return [Region(self.program, region) for region in _core.op_regions(self._core, self.id)]

    @property
    def successors(self) -> list[Block]:
        """The blocks that a terminator leads to."""
        return [Block(self.program, block) for block in _core.op_successors(self._core, self.id)]

    @property
    def attributes(self) -> Attributes:
        """Its attributes, by name."""
        return Attributes(self)

    @property
    def location(self) -> Location | None:
        """Its location; None if it is unknown."""
        return self._optional(Location, _core.op_location(self._core, self.id))

    @property
    def place(self) -> Place | None:
        """Where it is in the text that the program was read from, or what its location states."""
        found = _core.op_place(self._core, self.id)
        return None if found is None else Place(*found)

    @property
    def block(self) -> Block | None:
        """The block that it is in; None for the module."""
        return self._optional(Block, _core.op_block(self._core, self.id))

    @property
    def parent(self) -> Operation | None:
        """The op around it; None for the module."""
        parent = _core.op_parent(self._core, self.id)
        return operation(self.program, parent) if parent else None

    @property
    def users(self) -> list[Operation]:
        """The ops that use its results, each once."""
        return list(dict.fromkeys(user for result in self.results for user in result.users))

    @property
    def array(self) -> NDArray[Any]:
        """The elements of a constant op: see `Attribute.array`. Raises `TypeError` for other ops."""
        if "value" not in self.attributes:
            raise usage_error(f"'{self.op_name}' is not a constant", "only constants have elements", type=True)
        return self.attributes["value"].array

    def ops(self, name: str | None = None) -> Iterator[Operation]:
        """Iterates over the ops in its regions, each before those in its own; with `name`, those with that name: see
        `Program.ops`."""
        if name is not None and any(sign in name for sign in "*?["):
            found = _core.walk(self._core, self.id, None)
            # A pattern without a dialect is one of StableHLO, as a name is.
            full = name if "." in name else "stablehlo." + name
            name_of = _core.op_vhlo_name if full.startswith("vhlo.") else _core.op_name
            found = [op for op in found if fnmatch.fnmatchcase(name_of(self._core, op) or "", full)]
            if not found:
                _check_pattern(full)
        else:
            found = _core.walk(self._core, self.id, name)
            if not found and name is not None and (full := _op_name(self.program, name)) != name:
                found = _core.walk(self._core, self.id, full)
        return (operation(self.program, op) for op in found)

    def text(self, max_bytes: Count = 2**31) -> str:
        """Returns the op in one line of text, with ``{...}`` for regions."""
        return str(_core.op_text(self._core, self.id, max_bytes))

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<shlo.{type(self).__name__} {self.text(200)}>"

    def _repr_html_(self) -> str:
        rows: list[tuple[object, ...]] = [("operand", i, value.type) for i, value in enumerate(self.operands)]
        rows += [("result", i, value.type) for i, value in enumerate(self.results)]
        rows += [("attribute", name, str(value)[:200]) for name, value in self.attributes.items()]
        return html_text(self.name, self.text(4000)) + table(("", "", ""), rows)


class Function(Operation):
    """A function: calling it evaluates it."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """Its symbol name, ``"main"``."""
        return self.symbol or ""

    @property
    def signature(self) -> Signature:
        """Its arguments and results, with names: see `Program.signature`."""
        from ._signature import signature_of

        found = self.program._signatures.get(self.id)
        if found is None:
            found = self.program._signatures[self.id] = signature_of(self)
        return found

    @property
    def arguments(self) -> list[Value]:
        """The arguments of its body; of a declaration, none."""
        blocks = self.regions[0].blocks if self.regions else []
        return blocks[0].arguments if blocks else []

    @property
    def type(self) -> Type:
        """Its type, with `inputs` and `results`."""
        found: Type = self.attributes["function_type"].value
        return found

    @property
    def body(self) -> list[Block]:
        """Its blocks."""
        return self.regions[0].blocks if self.regions else []

    @property
    def private(self) -> bool:
        """Whether only functions of the same program can call it."""
        visibility = self.attributes.get("sym_visibility")
        return visibility is not None and visibility.value == "private"

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Evaluates it. Returns an array, a tuple of arrays if it has several results, or None if it has none. Takes
        the options of `Program.eval`; other keywords are arguments by name: ``m.main(x=...)``."""
        from ._evaluate import OPTIONS

        named = {key: options.pop(key) for key in list(options) if key not in OPTIONS}
        if named:
            options["kwargs"] = {**options.get("kwargs", {}), **named}
        results = self.program.eval(*args, function=self.symbol, **options)
        return results[0] if len(results) == 1 else tuple(results) or None

    def _repr_html_(self) -> str:
        return html_text(f"@{self.symbol}", self.text(4000))


def _parsed_type(text: str) -> Type:
    from ._arrays import _parsed

    return _parsed(text)


def _parsed_location(text: str) -> Location | None:
    from ._program import loads

    return loads(f"func.func private @f() {text}")["f"].location


def _item(part: Any, name: str, index: int) -> Any:
    return getattr(part, name)[index]


def _nth_op(program: Program, index: int | None) -> Operation:
    module = program.module
    return module if index is None else operation(program, _core.walk(program._handle, module.id, None)[index])


def operation(program: Program, id: int) -> Operation:
    """Returns an op, as a `Function` if it is one."""
    if _core.op_name(program._handle, id) == "func.func":
        return Function(program, id)
    return Operation(program, id)


__all__ = [
    "Attribute", "Attributes", "Block", "Function", "Location", "Operation", "Part", "Place", "Region", "Type", "Use",
    "Value",
]  # fmt: skip
