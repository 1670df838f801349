"""Programs: reading, writing, conversion, verification, evaluation."""

from __future__ import annotations

import builtins
import hashlib
import errno
import io
import os
from typing import TYPE_CHECKING, Any, Callable, ClassVar, Iterator, Literal, Mapping, Protocol, Sequence, TypedDict, Union

from . import _core
from ._arrays import Tensor
from ._checked import checked
from ._diagnostics import Diagnostic, diagnostics_of, warn
from ._errors import (
    FileError, FileIsFolderError, FileMissingError, Named, NotEqualError, ParseError, ShloError, UsageError, argument_error, file_error,
    named_error, not_found, parse_error, usage_error,
)  # fmt: skip
from ._html import table
from ._html import text as html_text
from ._limits import Limits, numbers
from ._printed import counted, loads as _document, printed
from ._versions import Consumer, ConsumerLike, Consumers, Version, VersionLike, parse, targets_of
from ._walk import Function, Operation, operation

if TYPE_CHECKING:
    from ._builder import Builder
    from ._compare import Proof
    from ._signature import Signature
    from .fleet._placement import Place as Placement

PathLike = Union[str, "os.PathLike[str]"]
Bytes = Union[str, bytes, bytearray, memoryview]


class Readable(Protocol):
    """A file object to read."""

    def read(self) -> str | bytes: ...


class Writable(Protocol):
    """A file object to write."""

    def write(self, data: Any, /) -> object: ...


WriteFormat = Literal["text", "shlo", "mlirbc"]
"""A format to write."""
ReadFormat = Literal["text", "shlo", "mlirbc", "jax-export", "saved-model"]
"""A format that programs are read from."""
FORMATS = {"text": 1, "shlo": 2, "mlirbc": 3}
"""Formats to write, and their numbers in the C API."""


@checked
class Dialect:
    """A dialect that a TOML file defines (docs/dialect.md), for `load`, `Program.verify` and `Program.convert`."""

    __slots__ = ("_handle", "_source")

    def __init__(self, toml: str | bytes, name: str = "<dialect>"):
        """Reads a dialect. `name` is that of the file in diagnostics."""
        data = toml.encode() if isinstance(toml, str) else bytes(toml)
        self._handle = _core.dialect_read(data, name)
        self._source = data, name

    @classmethod
    def load(cls, path: PathLike) -> Dialect:
        """Reads a dialect from a file."""
        with open(path, "rb") as file:
            return cls(file.read(), os.fspath(path))

    @property
    def name(self) -> str:
        """The name of the dialect."""
        return str(_core.dialect_name(self._handle))

    def __repr__(self) -> str:
        return f"<shlo.Dialect {printed(self.name, 'name')}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Dialect, self._source


class Conversion:
    """What `Program.convert` did."""

    document: dict[str, Any]
    """``from``, ``to``, ``steps``, ``expanded``, ``dropped_hints`` and ``dialects``, as ``shlo-compat --json`` has them."""
    proof: Proof | None
    """The comparison of the program before and after, with ``prove=True``."""
    diagnostics: list[Diagnostic]
    """Warnings and notes of the conversion."""

    def __init__(self, document: dict[str, Any], diagnostics: Sequence[Diagnostic] = ()):
        self.document = document
        self.proof = None
        self.diagnostics = list(diagnostics)

    @property
    def source(self) -> Version:
        """The version before."""
        return Version(self.document["from"]["n"])

    @property
    def target(self) -> Version:
        """The version after."""
        return Version(self.document["to"]["n"])

    @property
    def steps(self) -> list[dict[str, Any]]:
        """The rewrites that were applied, with the number of ops of each."""
        return list(self.document["steps"])

    @property
    def expanded(self) -> list[dict[str, Any]]:
        """The ops that were expanded."""
        return list(self.document["expanded"])

    @property
    def dropped_hints(self) -> list[dict[str, Any]]:
        """The hints that `drop_hints` left out, with their numbers."""
        return list(self.document["dropped_hints"])

    def __repr__(self) -> str:
        kinds = counted(len(self.steps) + len(self.expanded), "kind")
        proved = f", {self.proof.verdict}" if self.proof else ""
        return f"<shlo.Conversion {self.source} to {self.target}, {kinds} of rewrites{proved}>"

    def _repr_html_(self) -> str:
        rows: list[tuple[object, ...]] = [("from", self.source, ""), ("to", self.target, "")]
        rows += [("step", f"{step['from']} to {step['to']}", step["op_count"]) for step in self.steps]
        rows += [("expanded", row["name"], row["op_count"]) for row in self.expanded]
        rows += [("dropped", row["name"], row["count"]) for row in self.dropped_hints]
        if self.proof:
            rows.append(("proof", f"{self.proof.verdict} ({self.proof.evidence})", ""))
        return table(("", "", "ops"), rows)


class LoadOptions(TypedDict, total=False):
    """Options of `read`, for functions that pass them on."""

    version: VersionLike | None
    lenient: bool
    verify: bool
    allow_empty: bool
    dialects: Sequence[Dialect]
    limits: Limits | None


class ConvertOptions(TypedDict, total=False):
    """Options of `Program.convert`, for functions that pass them on."""

    expand: bool
    expand_composites: bool
    fold: bool
    fold_limit: int | None
    drop_hints: bool
    window: str | None
    allow_outside_window: bool
    allow_other_dialects: bool
    lenient: bool
    dialects: Sequence[Dialect]
    dialect_targets: Mapping[str, int] | None
    consumers: Consumers | None
    max_blockers: int | None
    limits: Limits | None


def given(**options: Any) -> dict[str, Any]:
    """Returns the options that are not at their default, as the extension takes them."""
    out: dict[str, Any] = {}
    for key, value in options.items():
        if key == "limits":
            value = numbers(value)
        elif key == "dialects":
            value = [dialect._handle for dialect in value] or None
        elif isinstance(value, bool) or type(value).__name__ == "bool_":
            value = int(value) or None
        if value is not None:
            out[key] = value
    return out


@checked
class Program:
    """A StableHLO program at a version. It never changes: what changes one returns a new one.

    Programs are equal, and have equal hashes, if their content is: ops, types, attributes, constants, locations and
    version, whatever format they were read from. They can be pickled, and used from several threads at once.

    Examples:
        >>> m = shlo.load("model.mlir")
        >>> m["main"]([0.0, 1.0, 2.0, 3.0]).round(3).tolist()
        [0.0, 1.7619999647140503, 2.9639999866485596, 3.994999885559082]
        >>> m.convert("1.9.0").save("old.mlirbc")
    """

    __slots__ = ("_handle", "_facts", "_digest", "_signatures", "_container", "_stated", "conversion", "__weakref__")
    conversion: Conversion | None
    """The conversion that made the program, if one did."""
    _handle: Any
    _facts: dict[str, Any] | None
    _container: str
    _stated: str | None
    _digest: builtins.bytes | None
    _signatures: dict[int, Signature]

    def __init__(self, *given: object) -> None:
        raise TypeError("programs are made by shlo.load, shlo.loads or shlo.Builder")

    @classmethod
    def _of(cls, handle: Any, conversion: Conversion | None = None) -> Program:
        program = cls.__new__(cls)
        program._handle = handle
        program._facts = None
        program._digest = None
        program._signatures = {}
        program._container = ""
        program._stated = None
        program.conversion = conversion
        return program

    # --- Facts ---

    @property
    def _info(self) -> dict[str, Any]:
        if self._facts is None:
            self._facts = _core.program_get(self._handle)
        return self._facts

    @property
    def version(self) -> Version:
        """The version of the program."""
        return Version(self._info["version"])

    @property
    def format(self) -> ReadFormat | None:
        """The format that it was read from: ``"text"``, ``"mlirbc"``, ``"shlo"``, ``"jax-export"``,
        ``"saved-model"``; None if it was built or converted."""
        found: ReadFormat | None = self._info["format"]
        return found

    @property
    def source_name(self) -> str:
        """The name of the file that it was read from."""
        return str(self._info["source_name"])

    @property
    def name(self) -> str:
        """Its name in its container; may be empty."""
        return str(self._info["name"])

    @property
    def producer(self) -> str:
        """The producer that the artifact states; may be empty."""
        return str(self._info["producer"])

    @property
    def op_count(self) -> int:
        """The number of ops, at all nesting levels, without the module."""
        return int(self._info["op_count"])

    @property
    def constant_bytes(self) -> int:
        """The bytes of all constants."""
        return int(self._info["constant_bytes"])

    @property
    def container(self) -> dict[str, Any] | None:
        """The facts of the container that the program, or the one that it was converted from, was read from: as `container`
        in the document of ``shlo-compat inspect --json``; None if it was read from none."""
        found = self._container_json()
        return None if found is None else dict(_document(found))

    def _container_json(self) -> str | None:
        # A pickle is an archive, which has no container.
        found: str | None = self._stated or _core.program_container_json(self._handle)
        return found

    @property
    def signature(self) -> Signature:
        """The arguments and results of `main`, with the names, shapes and shardings of a ``jax.export`` file::

            print(m.signature)                       # f
                                                     #   in  args[0]['b']: f32[256] sharded "['model'] on {model: 4}"
            m.signature["args[0]['b']"].shape        # (256,)
        """
        return self.main.signature

    def inspect(self) -> dict[str, Any]:
        """Returns what the program contains: functions, ops with counts and versions, custom call targets, resources,
        the lowest target; as an entry of ``programs`` in the document of ``shlo-compat inspect --json``."""
        document: dict[str, Any] = _document(_core.program_inspect_json(self._handle))
        return document

    # --- Writing ---

    def text(
        self,
        *,
        generic: bool = False,
        vhlo: bool = False,
        locations: bool = False,
        mlir_style: bool = False,
        local_scope: bool = False,
        elide_elements: int = 0,
        limits: Limits | None = None,
    ) -> str:
        """Returns the program as MLIR text.

        Args:
            generic: print every op in generic form.
            vhlo: print VHLO's spelling.
            locations: print locations.
            mlir_style: print as MLIR's printer does, byte for byte.
            local_scope: print no aliases.
            elide_elements: elide constants with more elements, so that the text cannot be read again; 0: none.
            limits: the budget of the call.

        Examples:
            >>> print(m.text(generic=True).splitlines()[2])
                %0 = "stablehlo.tanh"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
        """
        options = given(
            generic=generic, vhlo=vhlo, locations=locations, mlir_style=mlir_style, local_scope=local_scope,
            elide_elements=elide_elements or None, limits=limits,
        )  # fmt: skip
        data: builtins.bytes = _core.program_write(self._handle, {**options, "format": FORMATS["text"]})[0]
        return data.decode("utf-8", "surrogateescape")

    def bytes(
        self,
        format: WriteFormat = "mlirbc",
        *,
        strip_debuginfo: bool = False,
        producer: str | None = None,
        zstd_level: int | None = None,
        compress_constants: bool = False,
        plain: bool = False,
        bytecode_format: int | None = None,
        writer: VersionLike | None = None,
        allow_other_dialects: bool = False,
        limits: Limits | None = None,
    ) -> builtins.bytes:
        """Returns the program as a file of a format. The same program and options give the same bytes.

        Args:
            format: ``"mlirbc"``, a portable artifact, which frameworks read; ``"shlo"``, an archive; or ``"text"``.
            strip_debuginfo: omit locations.
            producer: the producer that the file states (default: ``StableHLO_v`` and the release, or ``shlo-compat``).
            zstd_level: of archives: 1 to 19; -1: nothing is compressed (default: 6).
            compress_constants: of archives: compress large constants, too.
            plain: of artifacts: StableHLO instead of VHLO, which no release promises to read.
            bytecode_format: of artifacts: the format of MLIR bytecode (default: that of the release).
            writer: of artifacts: the release of the reference serializer to mirror.
            allow_other_dialects: of artifacts: allow ops of other dialects in versions older than 1.11.0.
            limits: the budget of the call.

        Raises:
            BlockedError: a portable artifact of the program's version cannot hold it.
            UsageError: an unknown format.

        Examples:
            >>> shlo.loads(m.bytes("shlo")) == m
            True
        """
        options = _write_options(locals())
        data, warnings = self._written(options)
        warn(warnings)
        return data

    def _written(self, options: dict[str, Any]) -> tuple[builtins.bytes, list[Any]]:
        """Returns a file, whose large constants are copied once, and the warnings."""
        out = io.BytesIO()
        warnings = _core.program_write_to(self._handle, out.write, options)
        return out.getvalue(), warnings

    def save(
        self,
        path: PathLike | Writable,
        format: WriteFormat | None = None,
        *,
        strip_debuginfo: bool = False,
        producer: str | None = None,
        zstd_level: int | None = None,
        compress_constants: bool = False,
        plain: bool = False,
        bytecode_format: int | None = None,
        writer: VersionLike | None = None,
        allow_other_dialects: bool = False,
        sync: bool = False,
        limits: Limits | None = None,
    ) -> None:
        """Writes a file. Readers never see a part of it.

        Args:
            path: the path, or a file object, which is written to as it is.
            format: the format; by default that of the ending: ``.mlir`` or ``.txt`` for text, ``.mlirbc`` or ``.bc`` for a
                portable artifact, ``.shlo`` for an archive. `shlo.jax.downgrade` and `shlo.tf.save` write containers.
            sync: wait until the file is on the disk, even if it replaces none.
            strip_debuginfo, producer, zstd_level, compress_constants, plain, bytecode_format, writer,
                allow_other_dialects, limits: as for `bytes`.

        Raises:
            UsageError: the ending states no format.
            FileError: the file cannot be written.
            BlockedError: a portable artifact of the program's version cannot hold it.
        """
        options = _write_options(locals())
        if not isinstance(path, (str, os.PathLike)):
            warn(self._write_to(path, options))
            return
        try:
            warn(_core.program_write_file(self._handle, os.fsencode(path), options))
        except UsageError as error:
            remedy = _CONTAINERS.get(self._container or self.format or "")
            if format is not None or remedy is None or error.diagnostics[0].file == "":
                raise
            raise usage_error(
                f"{error.diagnostics[0].message}, and the program is from a {remedy[0]}",
                f"{remedy[1]}, or pass format=\"mlirbc\" to write the program alone",
            ) from None

    def _write_to(self, file: Writable, options: dict[str, Any]) -> list[Any]:
        if not hasattr(file, "write"):
            raise usage_error(f"expected a path or a file object, got {type(file).__name__}")
        if "format" not in options:
            raise usage_error("a file object states no format", f"pass format=, one of {', '.join(FORMATS)}")
        if not isinstance(file, io.TextIOBase):
            warnings: list[Any] = _core.program_write_to(self._handle, file.write, options)
            return warnings
        if options["format"] != FORMATS["text"]:
            raise usage_error("the file object takes text, and the format is binary", 'open the file with "wb"')
        data, warnings = self._written(options)
        file.write(data.decode("utf-8", "surrogateescape"))
        return warnings

    # --- Versions ---

    @property
    def lowest_target(self) -> Version:
        """The oldest version that the program can be converted to, such that it can also be converted to every version
        from there to its own."""
        return Version(_core.lowest_target(self._handle, {}))

    def targets(self, *, expand: bool = False, allow_other_dialects: bool = False) -> list[Version]:
        """Returns every version that the program can be converted to, oldest first."""
        options = given(expand=expand, allow_other_dialects=allow_other_dialects)
        return [Version(version) for version in _core.possible_targets(self._handle, options)]

    def blockers(
        self,
        target: VersionLike | ConsumerLike | Sequence[ConsumerLike],
        *,
        expand: bool = False,
        allow_other_dialects: bool = False,
        portable: bool = False,
        drop_hints: bool = False,
        every_place: bool = False,
        consumers: Consumers | None = None,
        max_blockers: int | None = None,
    ) -> list[Diagnostic]:
        """Returns what keeps the program from a target: each op, attribute and type, with its first place, the number of
        places, and the first version that can represent it. Empty if nothing does.

        Args:
            target: as for `convert`.
            every_place: a diagnostic for each place.
            max_blockers: how many to list (default: 1000).
            expand, allow_other_dialects, portable, drop_hints, consumers: as for `convert`.

        Examples:
            >>> m.blockers("1.9.0")
            []
        """
        version, readers = targets_of(target, consumers)
        options = given(
            expand=expand, allow_other_dialects=allow_other_dialects, portable=portable, drop_hints=drop_hints,
            every_place=every_place, max_blockers=max_blockers, consumers=[reader._handle for reader in readers] or None,
        )  # fmt: skip
        return diagnostics_of(_core.blockers(self._handle, version, options))

    def convert(
        self,
        target: VersionLike | ConsumerLike | Sequence[ConsumerLike],
        *,
        expand: bool = False,
        expand_composites: bool = False,
        fold: bool = False,
        fold_limit: int | None = None,
        drop_hints: bool = False,
        prove: bool = False,
        window: str | None = None,
        allow_outside_window: bool = False,
        allow_other_dialects: bool = False,
        portable: bool = False,
        lenient: bool = False,
        dialects: Sequence[Dialect] = (),
        dialect_targets: Mapping[str, int] | None = None,
        consumers: Consumers | None = None,
        max_blockers: int | None = None,
        limits: Limits | None = None,
    ) -> Program:
        """Returns the program at another version. `conversion` of the result states what was done.

        Args:
            target: a version in any notation (``"1.9.0"``, 62, ``"WEEK_12"``, a date), a consumer (``"jaxlib==0.4.30"``), or
                several consumers, whose newest common version it then is.
            expand: rewrite ops that the target lacks, and all of CHLO, into ops that it has.
            expand_composites: likewise, and composites into calls.
            fold: fold constants of up to `fold_limit` elements (default: 65536).
            drop_hints: leave out attributes that only tell a compiler how to run the program.
            prove: compare the program before and after, as `shlo.prove` does.
            window: another compatibility window, ``"backward=180d,forward=3w"``.
            allow_outside_window: convert whatever the window is.
            allow_other_dialects: allow ops of other dialects for targets older than 1.11.0.
            portable: the result is meant for a portable artifact, which has fewer attributes.
            lenient: violated constraints of the specification at the target are warnings, not errors.
            dialects: dialects of the user, and `dialect_targets` their versions.
            consumers: known ones, instead of `shlo.consumers`.
            max_blockers: how many blockers an error lists (default: 1000).
            limits: the budget of the call.

        Raises:
            BlockedError: the target cannot represent the program; `diagnostics` has every blocker.
            OutsideWindowError: the conversion is outside the compatibility window.
            VersionError, UsageError: a target that is not known.
            NotEqualError: `prove` does not find the two equal.

        Examples:
            >>> old = m.convert("1.9.0", prove=True)
            >>> old.version, old.conversion.proof.verdict
            (shlo.Version(62, '1.9.0'), 'equal')
        """
        version, readers = targets_of(target, consumers)
        versions = [f"{name}={number}" for name, number in (dialect_targets or {}).items()]
        options = given(
            consumers=[reader._handle for reader in readers] or None, expand=expand, expand_composites=expand_composites,
            fold=fold, fold_limit=fold_limit, drop_hints=drop_hints, window=window, allow_outside_window=allow_outside_window,
            allow_other_dialects=allow_other_dialects, portable=portable, lenient=lenient, dialects=dialects,
            dialect_targets=versions or None, max_blockers=max_blockers, limits=limits,
        )  # fmt: skip
        handle, document, warnings = _core.convert(self._handle, version, options)
        warn(warnings)
        converted = Program._of(handle, Conversion(_document(document), diagnostics_of(warnings)))
        converted._container = self._container or self.format or ""
        if self._stated is not None:
            converted._stated = self._stated
            converted._facts = {**converted._info, "name": self.name}
        if prove:
            from ._compare import prove as compare

            proof = compare(self, converted)
            assert converted.conversion is not None
            converted.conversion.proof = proof
            if not proof.equal:
                error = NotEqualError(proof.text, (), "not-equal", 1)
                error.proof = proof
                raise error
        return converted

    def verify(
        self,
        *,
        lenient: bool = False,
        max_diagnostics: int | None = None,
        dialects: Sequence[Dialect] = (),
        limits: Limits | None = None,
    ) -> list[Diagnostic]:
        """Verifies the program.

        Args:
            lenient: violated constraints of the specification are warnings, not errors.
            max_diagnostics: how many to list (default: 1000).
            dialects: dialects of the user.
            limits: the budget of the call.

        Returns:
            The warnings.

        Raises:
            VerificationError: it does not verify; `diagnostics` has all errors in program order.
        """
        options = given(lenient=lenient, max_diagnostics=max_diagnostics, dialects=dialects, limits=limits)
        return diagnostics_of(_core.verify(self._handle, options))

    # --- Parts ---

    @property
    def module(self) -> Operation:
        """The ``builtin.module`` op, which everything else is in."""
        return operation(self, _core.module_op(self._handle))

    @property
    def functions(self) -> dict[str, Function]:
        """The functions by symbol name, in program order. Another name is a `NotFoundError`, a `KeyError`."""
        found = (Function(self, op) for op in _core.functions(self._handle))
        return Named("function", ((str(function.symbol), function) for function in found))

    @property
    def main(self) -> Function:
        """The function ``main``, or the only one."""
        found = _core.function_find(self._handle, "main")
        if found:
            return Function(self, found)
        functions = self.functions
        if len(functions) != 1:
            message = f"the program has {counted(len(functions), 'function')} and no 'main'"
            raise not_found(message, "main", functions)
        return next(iter(functions.values()))

    def ops(self, name: str | None = None) -> Iterator[Operation]:
        """Iterates over ops, each before those in its regions.

        Args:
            name: only ops with this name: ``"stablehlo.add"``, ``"add"`` for the same, ``"vhlo.add_v1"``; or those that
                match a pattern: ``"stablehlo.*"``, ``"*.dot*"``, ``"dot*"``.

        Raises:
            NotFoundError: there is no such op in the dialect.

        Examples:
            >>> [op.name for op in m.ops("tanh")]
            ['stablehlo.tanh']
        """
        return self.module.ops(name)

    def __getitem__(self, name: str) -> Function:
        """Returns a function by its symbol name. Raises `NotFoundError`, a `KeyError`, if there is none."""
        found = _core.function_find(self._handle, name)
        return Function(self, found) if found else self.functions[name]

    def __contains__(self, name: object) -> bool:
        """Whether the program has a function of this name."""
        return isinstance(name, str) and bool(_core.function_find(self._handle, name))

    # A program is not a sequence or mapping: NumPy would make an array of its names, and an empty one would be false.
    __iter__: ClassVar[None] = None

    def _ipython_key_completions_(self) -> list[str]:
        return list(self.functions)

    def edit(self) -> Builder:
        """Returns a builder that starts as a copy of the program, in which its ops and values can be named."""
        from ._builder import Builder

        return Builder._of(_core.builder_copy(self._handle), self)

    # --- Evaluation ---

    def eval(
        self,
        *args: Any,
        function: str | None = None,
        fast: bool = False,
        custom_calls: Mapping[str, Callable[..., Any]] | None = None,
        print: Callable[[str], object] | None = None,
        replicas: int | None = None,
        partitions: int | None = None,
        functions: Sequence[str] | None = None,
        infeed: Sequence[str] | None = None,
        wait_timeout: float | None = None,
        platform_index: int | None = None,
        profile: bool = False,
        place: Placement | None = None,
        limits: Limits | None = None,
        kwargs: Mapping[str, Any] | None = None,
    ) -> list[Any]:
        """Evaluates a function, ``main`` or the only one by default, and returns its results: read-only arrays; tuples
        of arrays for tuples; a `Tensor` for a token.

        Arguments have the names of `signature`: pass them in order, as one dictionary of values by name, or as what the
        exported function of jax takes, with nested dictionaries, lists and tuples, and keywords::

            m.eval(x)
            m.eval({"args[0]['w']": w, "args[0]['b']": b, "args[1]": x})
            m.eval({"w": w, "b": b}, x)
            m.main({"w": w, "b": b}, x=x)            # a keyword that is not an option below

        Results depend neither on the machine nor on the number of threads.

        Args:
            args: arguments with the shapes and dtypes of the signature: arrays of NumPy, jax, PyTorch or whatever has DLPack,
                used without a copy if they are contiguous; numbers and lists take the dtype of the signature. Elements
                that NumPy lacks have dtypes of ml_dtypes.
            function: the function (default: ``main``, or the only one).
            fast: allow reassociation and FMA contraction in dot products and sums, and errors of up to 3 ulp in
                exponential, logistic and tanh; results then depend on the machine.
            custom_calls: functions by the target of the custom call, which get arrays, and the op as `op` if they have a
                parameter of that name, and return arrays.
            print: receives the output of ``interpreter.print`` (default: standard output).
            replicas, partitions: run a grid of processes, of whose arguments and results there are then as many (default:
                what the program states, if it needs other processes); `functions` has the function of each process.
            infeed: functions that ``infeed`` ops call in turn.
            wait_timeout: seconds that a process waits for another one (default: 10).
            platform_index: the platform of a program that jax exported for several, by position.
            profile: measure; the returned list then has an attribute ``profile``.
            place: where the processes of a grid, or of ``interpreter.run_parallel``, run: ``"ray"`` or a `fleet.RayActors` for
                actors of a Ray cluster, or any function of `fleet.ProcessJobs` (default: in threads). Their output
                arrives when all have ended.
            limits: the budget of the call.
            kwargs: arguments by keyword, such as ``{"x": x}``.

        Raises:
            EvaluationError: evaluation failed.
            UsageError: wrong arguments (`UsageTypeError` for an array of another dtype).
            NotFoundError: there is no such function, or no such custom call.
            LimitError: a limit was exceeded.

        Examples:
            >>> (y,) = m.eval(x)
            >>> y.dtype, y.shape
            (dtype('float32'), (4,))
        """
        from ._evaluate import evaluate

        if wait_timeout is not None and not wait_timeout > 0:
            raise argument_error("wait_timeout", f"expected a number above 0, got {wait_timeout}")
        for name, count in (("replicas", replicas), ("partitions", partitions)):
            if count is not None and count < 1:
                raise argument_error(name, f"expected a number above 0, got {count}")
        return evaluate(
            self, args, kwargs or {}, function, custom_calls, print, profile, place,
            given(
                fast=fast, replicas=replicas, partitions=partitions, functions=functions, infeed=infeed, platform_index=platform_index,
                wait_timeout_ms=None if wait_timeout is None else max(1, int(wait_timeout * 1000)), limits=limits,
            ),
        )  # fmt: skip

    # --- Python ---

    def _content(self) -> builtins.bytes:
        """A digest of the content. In VHLO defaults are written out, so whether the source did makes no difference; what
        VHLO cannot hold is compared as an archive. Formats of bytecode after the second also have use-list orders, which
        tell how a program was made."""
        if self._digest is None:
            digest = hashlib.sha256()
            try:
                options = {"format": FORMATS["mlirbc"], "bytecode_format": 2, "producer": "shlo", "allow_other_dialects": 1}
                _core.program_write_to(self._handle, digest.update, options)
            except ShloError:
                digest = hashlib.sha256()
                options = {"format": FORMATS["shlo"], "zstd_level": -1, "producer": "shlo"}
                _core.program_write_to(self._handle, digest.update, options)
            self._digest = digest.digest()
        return self._digest

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Program):
            return NotImplemented
        return self is other or (self.version == other.version and self._content() == other._content())

    def __hash__(self) -> int:
        return hash(self._content())

    def __copy__(self) -> Program:
        return self

    def __deepcopy__(self, memo: object) -> Program:
        return self

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        data = self._written({"format": FORMATS["shlo"]})[0]
        facts = {key: self._info[key] for key in ("format", "name", "producer", "source_name")}
        facts["container"] = self._container_json()
        import pickle

        return _load_pickled, (pickle.PickleBuffer(data) if protocol >= 5 else data, facts)

    def __str__(self) -> str:
        return self.text()

    def _summary(self) -> str:
        name = self.name or os.path.basename(self.source_name)
        return f"{printed(name, 'name') + ', ' if name else ''}version {self.version}, {counted(self.op_count, 'op')}"

    def __repr__(self) -> str:
        names = list(self.functions)
        listed = ", ".join(printed(name, "symbol") for name in names[:4]) + (", ..." if len(names) > 4 else "")
        return f"<shlo.Program {self._summary()}: {listed}>"

    def _repr_html_(self) -> str:
        # All of a large program would fill the notebook.
        if self.op_count <= 200:
            body = self.text(elide_elements=16)
        else:
            body = "\n".join(f"{printed(name, 'symbol')}: {function.type}" for name, function in list(self.functions.items())[:50])
        return html_text(self._summary(), body)


def _options(parameters: Mapping[str, Any], version: str) -> dict[str, Any]:
    """Returns the options among the parameters of a method. `version`: the one that names a version."""
    options = {key: value for key, value in parameters.items() if key not in ("self", "path", "data", "format", version)}
    stated = parameters[version]
    return given(**options, **{version: None if stated is None else int(parse(stated))})


def _write_options(parameters: Mapping[str, Any]) -> dict[str, Any]:
    options, format = _options(parameters, "writer"), parameters["format"]
    if format is not None:
        if format not in FORMATS:
            raise usage_error(f"unknown format '{format}'", f"pass one of {', '.join(FORMATS)}")
        options["format"] = FORMATS[format]
    return options


# The container that a program is from, and how to write one.
_CONTAINERS = {
    "jax-export": ("file of jax.export", "call shlo.jax.downgrade to write such a file"),
    "saved-model": ("SavedModel", "call shlo.tf.save to write one"),
}


def _load_pickled(data: Any, facts: dict[str, Any]) -> Program:
    options = {"source_name": facts["source_name"] or "<pickle>", "unverified": 1}
    program = Program._of(_core.program_read(data, options)[0])
    program._stated = facts.pop("container", None)
    program._facts = {**program._info, **facts}
    return program


def _read_options(parameters: Mapping[str, Any]) -> dict[str, Any]:
    named = {**parameters, "unverified": not parameters["verify"], "source_name": parameters.get("name")}
    return _options({key: value for key, value in named.items() if key not in ("verify", "name")}, "version")


def _data(data: Bytes) -> Any:
    return data.encode("utf-8", "surrogateescape") if isinstance(data, str) else data


def _file_call(call: Callable[..., Any], in_memory: Callable[..., Any], path: PathLike | Readable, options: dict[str, Any]) -> Any:
    """Calls a function of the extension for a path; for a file object, the one that takes bytes."""
    if not isinstance(path, (str, os.PathLike)):
        if not hasattr(path, "read"):
            raise usage_error(f"expected a path or a file object, got {type(path).__name__}")
        name = getattr(path, "name", None)
        options.setdefault("source_name", name if isinstance(name, str) else "<file>")
        return in_memory(_data(_content(path)), options)
    text = os.fspath(path)
    try:
        return call(os.fsencode(path), options)
    except FileError as error:
        if "\n" in text and error.errno in (errno.ENOENT, errno.ENAMETOOLONG):
            hint = "pass a program's text to shlo.loads, and a path to shlo.load"
            raise file_error(FileMissingError, errno.ENOENT, text, "there is no such file: the path has several lines", hint) from None
        if error.errno is None and os.path.isdir(text):
            folder = named_error(FileIsFolderError, error)
            folder.errno, folder.strerror, folder.filename = errno.EISDIR, os.strerror(errno.EISDIR), text
            raise folder from None
        if not isinstance(error, FileMissingError):
            raise
        if (archived := _archived(path)) is not None:
            return in_memory(archived, {"source_name": text, **options})
        if "://" in text:
            said = error.diagnostics[0]
            hint = "pass a file object, as of fsspec.open; shlo.fleet reads URLs"
            raise file_error(FileMissingError, errno.ENOENT, text, f"{said.file}: {said.message}", hint) from None
        error.filename = text
        raise


def _of_content(call: Callable[..., Any], data: Bytes, options: dict[str, Any]) -> Any:
    """Calls a function of the extension for a text or bytes, which may be the name of a file by mistake."""
    try:
        return call(_data(data), options)
    except ParseError as error:
        if isinstance(data, str) and len(data) < 4096 and "\n" not in data and os.path.exists(data):
            message = f"expected a program, got the name of a file, '{data}'"
            raise parse_error(message, "shlo.load and shlo.read read files") from None
        raise error


def _content(file: Readable) -> Bytes:
    """Returns what a file object has from its position on."""
    try:
        data = file.read()
    except UnicodeDecodeError:
        raise usage_error("the file object reads text, and the file is binary", 'open the file with "rb"') from None
    if not data and getattr(file, "seekable", bool)() and file.tell():  # type: ignore[attr-defined]
        raise usage_error("the file object is at its end", "call its seek(0) first")
    return data


def _archived(path: PathLike) -> builtins.bytes | None:
    """Returns the file of a model in an archive, ``"DIR:MODEL"``; None if there is no such archive."""
    folder, colon, model = os.fspath(path).rpartition(":")
    if not colon or not model or not os.path.exists(os.path.join(folder, "shlo-archive")):
        return None
    from .archive import Archive

    return Archive(folder).get(model)


@checked
def load(
    path: PathLike | Readable,
    *,
    version: VersionLike | None = None,
    program: str | None = None,
    lenient: bool = False,
    verify: bool = True,
    allow_empty: bool = False,
    dialects: Sequence[Dialect] = (),
    limits: Limits | None = None,
) -> Program:
    """Reads the program of a file. The content decides about its format: MLIR text, MLIR bytecode (also portable
    artifacts), a ``.shlo`` archive, a ``jax.export`` file, or a SavedModel.

    Files above 16 MiB are mapped: they must not become shorter while the program is in use.

    Args:
        path: a path, the folder of a SavedModel, a model of an archive (``"models:resnet@prod"``), or a file object.
        version: that of a text that does not state one (default: the newest that has everything in it).
        program: name of a program in a container.
        lenient: violated constraints of the specification are warnings (`ShloWarning`), not errors.
        verify: verify the program.
        allow_empty: a text without ops is an empty program, not an error.
        dialects: dialects of the user.
        limits: the budget of the call.

    Raises:
        FileMissingError, FileError: the file cannot be read.
        ParseError, FormatError: it is not a program.
        NewerVersionError: it is of a newer release than this package.
        VerificationError: the program does not verify.
        UsageError: the file has several programs.

    Examples:
        >>> shlo.load("model.mlirbc")
        <shlo.Program model.mlirbc, version 1.9.0 (62), 4 ops: @main>
    """
    options = _read_options(locals())
    handle, warnings = _file_call(_core.program_read_file, _core.program_read, path, options)
    warn(warnings)
    return Program._of(handle)


@checked
def loads(
    data: Bytes,
    *,
    name: str | None = None,
    version: VersionLike | None = None,
    program: str | None = None,
    lenient: bool = False,
    verify: bool = True,
    allow_empty: bool = False,
    dialects: Sequence[Dialect] = (),
    limits: Limits | None = None,
) -> Program:
    """Reads a program from text or bytes, as `load` does.

    Args:
        data: text or bytes. Constants stay views of a `bytes` object.
        name: the name of the source in diagnostics.
        version, program, lenient, verify, allow_empty, dialects, limits: as for `load`.

    Raises:
        InvalidInputError, VerificationError, UsageError: as `load`.

    Examples:
        >>> shlo.loads("func.func @main() { return }").op_count
        2
    """
    options = _read_options(locals())
    handle, warnings = _of_content(_core.program_read, data, options)
    warn(warnings)
    return Program._of(handle)


@checked
def read(
    path: PathLike | Readable,
    *,
    version: VersionLike | None = None,
    lenient: bool = False,
    verify: bool = True,
    allow_empty: bool = False,
    dialects: Sequence[Dialect] = (),
    limits: Limits | None = None,
) -> list[Program]:
    """Reads all programs of a file: those of a text divided by ``// -----``, or of a container.

    Args:
        path, version, lenient, verify, allow_empty, dialects, limits: as for `load`.

    Raises:
        ShloError: as `load`, with the errors of all programs if one cannot be read.
    """
    options = _read_options(locals())
    handles, _, warnings = _file_call(_core.programs_read_file, _core.programs_read, path, options)
    warn(warnings)
    return [Program._of(handle) for handle in handles]


@checked
def reads(
    data: Bytes,
    *,
    name: str | None = None,
    version: VersionLike | None = None,
    lenient: bool = False,
    verify: bool = True,
    allow_empty: bool = False,
    dialects: Sequence[Dialect] = (),
    limits: Limits | None = None,
) -> list[Program]:
    """Reads all programs of text or bytes, as `read` does."""
    options = _read_options(locals())
    handles, _, warnings = _of_content(_core.programs_read, data, options)
    warn(warnings)
    return [Program._of(handle) for handle in handles]


@checked
def detect(data: Bytes) -> ReadFormat:
    """Returns the format of a file by its content: ``"text"``, ``"shlo"``, ``"mlirbc"``, ``"jax-export"`` or
    ``"saved-model"``. Anything else is text."""
    found: ReadFormat = _core.format_detect(_data(data))  # type: ignore[assignment]
    return found


@checked
def replace_programs(
    container: bytes,
    programs: Sequence[Program],
    *,
    version: str | None = None,
    name: str | None = None,
    limits: Limits | None = None,
) -> bytes:
    """Returns a container with other programs in place of those it has. Everything else in it keeps its meaning.

    Args:
        container: a ``jax.export`` file, or a ``saved_model.pb``.
        programs: as many programs as it has, in the order of `reads`.
        version: the release of jax that must read a ``jax.export`` file (``"0.8.1"``).
        name: the name of the container in diagnostics.
        limits: the budget of the call.
    """
    options = given(container_version=version, source_name=name, limits=limits)
    return bytes(_core.container_write(container, [program._handle for program in programs], options))
