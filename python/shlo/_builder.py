"""Programs that are made or changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Iterator, Mapping, Protocol, Sequence, Union

from . import _core
from ._arrays import element_of
from ._checked import checked, shown
from ._errors import NotFoundError, ParseError, UsageError, argument_error, named_error, not_found, parse_error, usage_error
from ._limits import Limits
from ._printed import counted, printed
from ._walk import Attribute, Block, Operation, Part, Place, Region, Type, Value

if TYPE_CHECKING:
    import numpy as np

    from ._program import Dialect, Program
    from ._versions import VersionLike


class HasType(Protocol):
    """An array, a ``jax.ShapeDtypeStruct``, or whatever has a shape and a dtype."""

    @property
    def shape(self) -> Any: ...
    @property
    def dtype(self) -> Any: ...


TypeLike = Union[Type, str, HasType]
"""A type, its text (``"tensor<2x3xf32>"``), or an object whose shape and dtype it has."""

LocationLike = Union[Place, "tuple[str, int, int]", Attribute, str]
"""The location of an op: a file, a line and a column, an attribute, or MLIR text (``'loc("a.py":3:1)'``)."""


class BuilderPart:
    """A part of a program that is being made."""

    __slots__ = ("builder", "id")
    builder: Builder
    """The builder that it is of."""
    id: int
    """Its number."""

    def __init__(self, builder: Builder, id: int):
        self.builder = builder
        self.id = id

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, BuilderPart) and self.id == other.id and self.builder is other.builder

    def __hash__(self) -> int:
        return hash((type(self).__name__, self.id))

    def __repr__(self) -> str:
        return f"<shlo.{type(self).__name__} {self.id}>"


class BuilderValue(BuilderPart):
    """A value: a result of an op, or an argument of a block."""

    __slots__ = ()

    @property
    def type(self) -> Type:
        """Its type, with `shape`, `dtype` and the rest."""
        from ._arrays import _parsed

        handle = self.builder._handle
        return _parsed(_core.builder_type_text(handle, _core.builder_value_type(handle, self.id)))

    @property
    def shape(self) -> tuple[int | None, ...] | None:
        """Its dimensions: see `Type.shape`."""
        return self.type.shape

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of its elements."""
        return self.type.dtype

    def __repr__(self) -> str:
        return f"<shlo.BuilderValue {self.id}: {self.type}>"


class BuilderAttribute(BuilderPart):
    """An attribute."""

    __slots__ = ()


class BuilderRegion(BuilderPart):
    """A region of an op."""

    __slots__ = ()


class BuilderOp(BuilderPart):
    """An op."""

    __slots__ = ("name",)
    name: str
    """``"stablehlo.add"``."""

    def __init__(self, builder: Builder, id: int, name: str):
        super().__init__(builder, id)
        self.name = name

    @property
    def results(self) -> list[BuilderValue]:
        """Its results."""
        out: list[BuilderValue] = []
        while value := _core.builder_result(self.builder._handle, self.id, len(out)):
            out.append(BuilderValue(self.builder, value))
        return out

    @property
    def result(self) -> BuilderValue:
        """Its only result. Raises `ValueError` if it has none or several."""
        results = self.results
        if len(results) != 1:
            hint = "pass one of its results" if results else f"add it with results=[...] if '{self.name}' has any"
            raise usage_error(f"'{self.name}' has {counted(len(results), 'result')}", hint)
        return results[0]

    @property
    def type(self) -> Type:
        """The type of its only result."""
        return self.result.type

    @property
    def regions(self) -> list[BuilderRegion]:
        """Its regions."""
        out: list[BuilderRegion] = []
        while region := _core.builder_region(self.builder._handle, self.id, len(out)):
            out.append(BuilderRegion(self.builder, region))
        return out

    def __iter__(self) -> Iterator[BuilderValue]:
        return iter(self.results)

    def __repr__(self) -> str:
        types = ", ".join(str(value.type) for value in self.results)
        return f"<shlo.BuilderOp {self.id}: {printed(self.name, 'name')}{f' -> {types}' if types else ''}>"


class BuilderBlock(BuilderPart):
    """A block. In ``with block as (x, y):``, ops are added at its end, and its arguments are x and y."""

    __slots__ = ("_before",)

    @property
    def arguments(self) -> list[BuilderValue]:
        """Its arguments."""
        out: list[BuilderValue] = []
        while value := _core.builder_block_arg(self.builder._handle, self.id, len(out)):
            out.append(BuilderValue(self.builder, value))
        return out

    def __enter__(self) -> list[BuilderValue]:
        self._before = self.builder._point
        self.builder.insert_at_end(self)
        return self.arguments

    def __exit__(self, *error: object) -> None:
        self.builder._insert(self._before)


AnyValue = Union[BuilderValue, BuilderOp, Value]
"""A value of the builder, an op with one result, or a value of the program that is edited."""
AnyOp = Union[BuilderOp, Operation]
AnyBlock = Union[BuilderBlock, Block]
AttributeLike = Union[
    BuilderAttribute, Attribute, Type, bool, int, float, str, "Sequence[bool | int | str]", "np.ndarray[Any, Any]",
    "Mapping[str, Any]",
]  # fmt: skip
"""The value of an attribute: MLIR text (``"#stablehlo<comparison_direction EQ>"``, ``'"a string"'``), a bool, an int, a
float, a list of bools or ints (``array<...>``) or of texts (``[...]``), an array (``dense<...>``), a dictionary, a type, or
an attribute.

Where the op defines the attribute, the case of an enum (``"EQ"``), a string without quotes and a symbol without ``@`` will
do, numbers take the type that it has (elsewhere i64 and f64), and a dictionary may have the fields of a group:
``{"dot_dimension_numbers": {"lhs_contracting_dimensions": [1], "rhs_contracting_dimensions": [0]}}``."""


@checked
class Builder:
    """A program that is being made. It is for one thread at a time.

    ::

        b = shlo.Builder()
        with b.function("main", ["tensor<4xf32>"], ["tensor<4xf32>"]) as (x,):
            b.return_(b.op("add", x, b.op("tanh", x)))
        program = b.finish()
    """

    def __init__(self, version: VersionLike | None = None):
        """Makes an empty program at a version (default: the newest)."""
        from ._versions import parse

        self._handle = _core.builder_create(0 if version is None else int(parse(version)))
        self._base: Program | None = None
        self._point: tuple[str, int] | None = None

    @classmethod
    def _of(cls, handle: Any, base: Program) -> Builder:
        builder = cls.__new__(cls)
        builder._handle = handle
        builder._base = base
        builder._point = None
        return builder

    def finish(self, *, lenient: bool = False, dialects: Sequence[Dialect] = (), limits: Limits | None = None) -> Program:
        """Returns the program after verifying it. The builder may be used further. Raises `VerificationError`."""
        from ._diagnostics import warn
        from ._program import Program, given

        handle, warnings = _core.builder_finish(self._handle, given(lenient=lenient, dialects=dialects, limits=limits))
        warn(warnings)
        return Program._of(handle)

    # --- Types and attributes ---

    def _type(self, type: TypeLike) -> int:
        return int(_core.builder_type(self._handle, _type_text(type)))

    def attribute(self, value: AttributeLike) -> BuilderAttribute:
        """Returns an attribute for a value. Raises `ParseError` for a text that is not an attribute."""
        return BuilderAttribute(self, self._attribute(value))

    def string(self, text: str | bytes) -> BuilderAttribute:
        """Returns a string attribute of any characters."""
        data = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text
        return BuilderAttribute(self, _core.builder_string(self._handle, data))

    def _attribute(self, value: AttributeLike, op: str = "", name: str = "") -> int:
        """Returns an attribute; with the names of an op and of its attribute, that of an enum also for its case."""
        if isinstance(value, BuilderAttribute):
            return self._id(value)
        if isinstance(value, Attribute) and value.program is self._base:
            return value.id
        if isinstance(value, (Attribute, Type)):
            return int(_core.builder_attr(self._handle, str(value)))
        value = _text_of(value)
        if isinstance(value, str):
            return self._parsed(op, name, value)
        return self._elements(value, None, f"attribute '{name}'" if name else "value")[0]

    def _parsed(self, op: str, name: str, text: str) -> int:
        try:
            return int(_core.builder_op_attr(self._handle, op, name, text))
        except ParseError as error:
            if not text.replace("_", "").replace("-", "").replace(".", "").isalnum():
                raise
            _check_attribute(op, name)
            subject = f"attribute '{name}'" if name else "an attribute"
            hint = f"a string is written '\"{text}\"', or made by Builder.string; a symbol is written '@{text}'"
            raise parse_error(f"{subject}: {error.diagnostics[0].hint or error.diagnostics[0].message}", hint) from None

    def _elements(self, value: Any, type: TypeLike | None, where: str = "value") -> tuple[int, int]:
        """Returns elements and their type. A value is repeated to the shape of a type that is given."""
        import numpy

        from ._arrays import _parsed, array_of

        wanted = type if type is None or isinstance(type, Type) else _parsed(_type_text(type))
        array = array_of(value, wanted, where)
        if wanted is not None and wanted.size is not None:
            try:
                array = numpy.broadcast_to(array, [d or 0 for d in wanted.shape or ()])
            except ValueError:
                raise argument_error("value", f"expected {wanted}, got an array of shape {array.shape}") from None
        text = str(wanted) if wanted else f"tensor<{'x'.join([*map(str, array.shape), element_of(array.dtype, 'value')])}>"
        made = self._type(text)
        splat = array.size > 1 and _is_splat(array)
        if splat:
            array = array[(slice(0, 1),) * array.ndim]
        # Dtypes of ml_dtypes have no buffer protocol. The extension copies the bytes.
        data = numpy.ascontiguousarray(array).reshape(-1).view(numpy.uint8) if array.size else b""
        return int(_core.builder_elements(self._handle, made, data, splat)), made

    # --- Functions, blocks and ops ---

    def _id(self, part: BuilderPart | Part) -> int:
        if isinstance(part, BuilderPart):
            if part.builder is not self:
                raise usage_error(f"{part!r} is of a different builder")
        elif part.program is not self._base:
            raise usage_error(f"{part!r} is not of the program that is edited")
        return part.id

    def _value(self, value: AnyValue) -> int:
        if isinstance(value, BuilderOp):
            self._id(value)
            return value.result.id
        return self._id(value)

    def function(self, name: str, inputs: Sequence[TypeLike], results: Sequence[TypeLike]) -> BuilderBlock:
        """Adds a function, and returns the block of its body, with an argument for each input."""
        op = _core.builder_function(self._handle, name, [self._type(t) for t in inputs], [self._type(t) for t in results])
        region = _core.builder_region(self._handle, op, 0)
        block = BuilderBlock(self, _core.builder_region_block(self._handle, region, 0))
        self._point = ("end", block.id)
        return block

    def block(self, region: BuilderRegion | Region, arguments: Sequence[TypeLike] = ()) -> BuilderBlock:
        """Adds a block to a region, with an argument for each type."""
        before = self._point
        types = [self._type(t) for t in arguments]
        block = BuilderBlock(self, _core.builder_block(self._handle, self._id(region), types))
        self._insert(before)
        return block

    def op(
        self,
        name: str,
        *operands: AnyValue,
        results: Sequence[TypeLike] | None = None,
        attributes: Mapping[str, AttributeLike] | None = None,
        regions: Annotated[int, range(2**16)] = 0,
        successors: Sequence[AnyBlock] = (),
        location: LocationLike | None = None,
    ) -> BuilderOp:
        """Adds an op at the insertion point.

        Args:
            name: ``"stablehlo.add"``, or ``"add"``: a name without a dialect is one of StableHLO, and ``"call"`` is ``"func.call"``.
            operands: values, or ops with one result.
            results: types of its results; None: infer them. Of ops with regions, only while and sort are inferred.
            attributes: by name, as in generic text: see `AttributeLike`. You may pass ``op.attributes`` of another op.
            regions: regions to make, for `block` to fill.
            successors: blocks that a terminator leads to.
            location: ``("a.py", 3, 1)`` or ``'loc("a.py":3:1)'``.

        Raises:
            NotFoundError: an unknown op, or attribute.
            UsageError: results of an op with regions that must be stated.
            UnsupportedError: results that are to be inferred, and do not follow from operands and attributes.
            VerificationError: operands from which no result can be inferred.

        Examples:
            >>> b = shlo.Builder()
            >>> with b.function("main", ["tensor<4xf32>"], ["tensor<4xi1>"]) as (x,):
            ...     less = b.op("compare", x, x, attributes={"comparison_direction": "LT"})
            ...     _ = b.return_(less)
            >>> str(less.type)
            'tensor<4xi1>'
        """
        name = name if "." in name else ("func.call" if name == "call" else "stablehlo." + name)
        if results is None and name.endswith(".return"):
            results = ()
        types = None if results is None else [self._type(t) for t in results]
        stated = [pair for pair in (attributes or {}).items() for pair in self._parts(name, *pair)]
        named = [(key, self._attribute(value, name, key)) for key, value in stated]
        ids = [self._value(value) for value in operands]
        blocks = [self._id(block) for block in successors]
        at = 0 if location is None else self._location(location)
        try:
            made = _core.builder_op(self._handle, name, ids, types, named, regions, blocks, at)
        except UsageError as error:
            if error.diagnostics and error.diagnostics[0].message.startswith("unknown op "):
                raise named_error(NotFoundError, error) from None
            raise
        return BuilderOp(self, made, name)

    def _parts(self, op: str, name: str, value: Any) -> list[tuple[str, Any]]:
        """Returns the attributes that a dictionary has for one that groups them: for "dot_dimension_numbers", those of its
        fields."""
        if not isinstance(value, Mapping):
            return [(name, value)]
        from ._ops import defined_attributes

        defined = defined_attributes(op)
        return list(value.items()) if value and name not in defined and all(key in defined for key in value) else [(name, value)]

    def constant(self, value: Any, type: TypeLike | None = None) -> BuilderValue:
        """Adds a constant of an array, or of numbers with a `type`: ``b.constant(0.0, "tensor<f32>")``. Fewer elements
        are repeated to the shape of the type. Raises `UsageError` for numbers that the type does not have, and
        `UsageTypeError` for an array with other elements."""
        elements, made = self._elements(value, type)
        op = _core.builder_op(self._handle, "stablehlo.constant", [], [made], [("value", elements)], 0, [], 0)
        return BuilderOp(self, op, "stablehlo.constant").result

    def return_(self, *values: AnyValue) -> BuilderOp:
        """Adds the ``func.return`` of a function."""
        return self.op("func.return", *values, results=())

    def _location(self, location: LocationLike) -> int:
        if isinstance(location, tuple):
            file = str(location[0]).replace("\\", "\\\\").replace('"', '\\"')
            location = f'loc("{file}":{location[1]}:{location[2]})'
        return self._attribute(location)

    # --- Edits ---

    def insert_at_end(self, block: AnyBlock) -> None:
        """Adds ops at the end of a block from now on."""
        self._insert(("end", self._id(block)))

    def insert_before(self, op: AnyOp) -> None:
        """Adds ops before an op from now on."""
        self._insert(("before", self._id(op)))

    def _insert(self, point: tuple[str, int] | None) -> None:
        if point is not None:
            insert = _core.builder_insert_at_end if point[0] == "end" else _core.builder_insert_before
            insert(self._handle, point[1])
        self._point = point

    def set_attribute(self, op: AnyOp, name: str, value: AttributeLike | None) -> None:
        """Sets an attribute by its name, inherent or discardable; None removes it."""
        made = 0 if value is None else self._attribute(value, op.op_name if isinstance(op, Operation) else op.name, name)
        _core.builder_set_attr(self._handle, self._id(op), name, made)

    def set_location(self, op: AnyOp, location: LocationLike | None) -> None:
        """Sets the location of an op."""
        _core.builder_set_location(self._handle, self._id(op), 0 if location is None else self._location(location))

    def set_operand(self, op: AnyOp, index: Annotated[int, range(2**32)], value: AnyValue) -> None:
        """Sets an operand of an op."""
        _core.builder_set_operand(self._handle, self._id(op), index, self._value(value))

    def set_type(self, value: AnyValue, type: TypeLike) -> None:
        """Sets the type of a value. The types of functions are not adapted."""
        _core.builder_set_type(self._handle, self._value(value), self._type(type))

    def replace_uses(self, value: AnyValue, by: AnyValue) -> None:
        """Replaces all uses of a value by another one."""
        _core.builder_replace_uses(self._handle, self._value(value), self._value(by))

    def erase(self, op: AnyOp) -> None:
        """Erases an op with its regions. Raises `UsageError` if one of its results has a use."""
        _core.builder_erase(self._handle, self._id(op))

    def move_before(self, op: AnyOp, other: AnyOp) -> None:
        """Moves an op before another one."""
        _core.builder_move_before(self._handle, self._id(op), self._id(other))

    def rename_symbol(self, name: str, to: str) -> None:
        """Renames a symbol, and all references to it."""
        _core.builder_rename_symbol(self._handle, name, to)

    def __repr__(self) -> str:
        return f"<shlo.Builder of {self._base!r}>" if self._base else "<shlo.Builder>"


def _check_attribute(op: str, name: str) -> None:
    """Raises `NotFoundError` for a name that no attribute of an op has. Discardable ones have a dialect."""
    from ._ops import defined_attributes, table_of_ops

    if op in table_of_ops and "." not in name and name not in (known := defined_attributes(op)):
        raise not_found(f"'{op}' has no attribute '{name}'", name, known)


def _type_text(type: TypeLike) -> str:
    if isinstance(type, (BuilderValue, Value)):
        return str(type.type)
    if isinstance(type, (Type, str)):
        return str(type)
    shape: Any = type.shape
    sizes = ["?" if size is None else str(size) for size in shape]
    if not all(size == "?" or size.isdigit() for size in sizes):
        raise argument_error("type", f"the shape {tuple(shape)} has sizes that are no numbers", "pass None for a dynamic one", type=True)
    return f"tensor<{'x'.join([*sizes, element_of(type.dtype, 'type')])}>"


def _text_of(value: Any) -> Any:
    """Returns the MLIR text of a value of Python; an array as it is."""
    if isinstance(value, (Attribute, Type)):
        return str(value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(int(value))  # an i64, or what the op says
    if isinstance(value, float):
        return _decimal(value) if value - value == 0 else _bits(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(name)} = {_text_in_dictionary(item)}" for name, item in value.items()) + "}"
    if not isinstance(value, (list, tuple)):
        return value
    if value and all(isinstance(item, str) for item in value):
        return f"[{', '.join(map(str, value))}]"
    for item in value:
        if not isinstance(item, int):
            hint = 'pass an array, or MLIR text: "array<f64: 1.5>"'
            raise argument_error("value", f"expected a list of bools or ints, got {shown(value)}", hint, type=True)
    kind = "i1" if value and all(isinstance(item, bool) for item in value) else "i64"
    return f"array<{kind}: {', '.join(str(item).lower() for item in value)}>" if value else f"array<{kind}>"


def _text_in_dictionary(value: Any) -> str:
    text = _text_of(value)
    if not isinstance(text, str):
        raise argument_error("value", f"a dictionary cannot have {shown(value)}", "write the dictionary as MLIR text", type=True)
    return text


def _key(name: object) -> str:
    text = str(name)
    if text.replace("_", "").replace(".", "").isalnum():
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _decimal(value: float) -> str:
    """MLIR needs a point in a float."""
    text = repr(float(value))
    return text if "." in text else text.replace("e", ".0e")


def _is_splat(array: np.ndarray[Any, Any]) -> bool:
    """Returns whether all elements have the same bits, without a copy of a large array."""
    import numpy

    if all(stride == 0 for stride in array.strides):
        return True
    if not array.flags.c_contiguous:
        array = numpy.ascontiguousarray(array)
    flat = array.reshape(-1).view(numpy.uint8).reshape(array.size, array.itemsize)
    step = max(1, (1 << 20) // array.itemsize)
    return all((flat[i : i + step] == flat[0]).all() for i in range(0, len(flat), step))


def _bits(value: float) -> str:
    """MLIR writes infinities and NaN in hexadecimal."""
    import struct

    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X} : f64"
