"""Checks the arguments of public functions against their annotations, before anything uses them."""

from __future__ import annotations

import builtins
import collections.abc
import functools
import numbers
import os
import types
import typing
from typing import Any, Callable, Iterator, NamedTuple, TypeVar, Union

from ._errors import argument_error, usage_error

_Thing = TypeVar("_Thing")
_HAS_REST = 4
"""The flag of a function with ``*args``: inspect.CO_VARARGS, without its module."""
_HAS_NAMED_REST = 8
"""That of one with ``**options``: inspect.CO_VARKEYWORDS."""
Count = typing.Annotated[int, range(2**63)]
"""A number that is not negative."""


class _Rule(NamedTuple):
    """The values that an argument may have."""

    accepts: Callable[[Any], bool]
    names: tuple[str, ...]
    """As messages have it: "a text", "None"."""


class _Anything:
    """A name that only type checkers know: every value is right."""

    def __getattr__(self, name: str) -> _Anything:
        return self

    def __getitem__(self, item: object) -> _Anything:
        return self

    def __or__(self, other: object) -> _Anything:
        return self

    __ror__ = __or__


_ANYTHING = _Anything()
_PLAIN: dict[Any, _Rule] = {
    type(None): _Rule(lambda value: value is None, ("None",)),
    bool: _Rule(lambda value: value is True or value is False or _is_numpy_bool(value), ("True or False",)),
    int: _Rule(lambda value: isinstance(value, numbers.Integral) and not isinstance(value, bool), ("a whole number",)),
    float: _Rule(lambda value: isinstance(value, numbers.Real) and not isinstance(value, bool), ("a number",)),
    str: _Rule(lambda value: isinstance(value, str), ("a text",)),
    bytes: _Rule(lambda value: isinstance(value, (bytes, bytearray, memoryview)), ("bytes",)),
    bytearray: _Rule(lambda value: isinstance(value, bytearray), ()),
    memoryview: _Rule(lambda value: isinstance(value, memoryview), ()),
    os.PathLike: _Rule(lambda value: isinstance(value, os.PathLike), ("a path",)),
}
# Replacements for an object of another package, by the end of the name of its class.
_INSTEAD = {
    "Exported": "pass shlo.jax.program(exported)",
    "Lowered": "pass shlo.loads(lowered.as_text())",
    "ExportedProgram": "pass shlo.torch.program(exported)",
    "Module": "pass shlo.loads(str(module))",
}


def _is_numpy_bool(value: Any) -> bool:
    return type(value).__module__ == "numpy" and type(value).__name__ in ("bool", "bool_")


def _evaluated(annotation: Any, scope: dict[str, Any]) -> Any:
    """Returns what an annotation says, in the names of its module and of the package."""
    if isinstance(annotation, typing.ForwardRef):
        annotation = annotation.__forward_arg__
    if not isinstance(annotation, str):
        return annotation
    import shlo

    code = compile(annotation, "<annotation>", "eval")
    names: dict[str, Any] = {}
    for name in code.co_names:
        public = getattr(shlo, name) if name in shlo.__all__ else _ANYTHING
        names[name] = scope.get(name, getattr(builtins, name, public))
    names["os"] = os
    return eval(code, {"__builtins__": {}}, names)


def _rule(annotation: Any, scope: dict[str, Any]) -> _Rule | None:
    """Returns the rule of an annotation; None if every value is right."""
    annotation = _evaluated(annotation, scope)
    if annotation is Any or annotation is object:
        return None
    annotation = type(None) if annotation is None else annotation
    origin, parts = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        return _number_in(parts[1])
    if found := _PLAIN.get(origin or annotation):
        return found
    if origin is Union or origin is types.UnionType:
        return _any_of([_rule(part, scope) for part in parts])
    if origin is typing.Literal:
        # Which of them it is, the function itself asks.
        return _any_of([_PLAIN[kind] for kind in dict.fromkeys(map(type, parts))])
    if origin is collections.abc.Callable:
        return _Rule(callable, ("a function",))
    if origin is tuple:
        return _Rule(lambda value: isinstance(value, tuple), ("a tuple",))
    if isinstance(origin, type) and issubclass(origin, collections.abc.Mapping):
        return _Rule(lambda value: isinstance(value, collections.abc.Mapping), ("a dictionary",))
    if isinstance(origin, type) and issubclass(origin, collections.abc.Iterable):
        return _sequence(_rule(parts[0], scope))
    if not isinstance(annotation, type):
        return None
    kind: type = annotation
    if getattr(kind, "_is_protocol", False):
        methods = [method for method in vars(kind) if not method.startswith("_")]
        if all(isinstance(vars(kind)[name], property) for name in methods):
            # Not `hasattr`: np.float32 has a dtype, too, and a property may raise.
            return _Rule(lambda value: all(_is_of_objects(name, value) for name in methods), (f"an object with {' and '.join(methods)}",))
        return _Rule(lambda value: all(hasattr(value, method) for method in methods), ("a file object",))
    name = kind.__name__ if kind.__module__.split(".")[0] != "shlo" else f"shlo.{kind.__name__}"
    return _Rule(lambda value: isinstance(value, kind), (f"a {name}",))


def _is_of_objects(name: str, value: object) -> bool:
    return hasattr(type(value), name) or name in getattr(value, "__dict__", ())


def _number_in(numbers_of: range) -> _Rule:
    return _Rule(
        lambda value: _PLAIN[int].accepts(value) and int(value) in numbers_of,
        (f"a whole number from {numbers_of.start} to {numbers_of.stop - 1}",),
    )


def _any_of(rules: list[_Rule | None]) -> _Rule | None:
    known = [rule for rule in rules if rule is not None]
    if len(known) != len(rules):
        return None
    names = dict.fromkeys(name for rule in known for name in rule.names)
    return _Rule(lambda value: any(rule.accepts(value) for rule in known), tuple(names))


_SEQUENCES = (collections.abc.Sequence, collections.abc.Set, collections.abc.ValuesView, collections.abc.Iterator)


def _sequence(item: _Rule | None) -> _Rule:
    def accepts(value: Any) -> bool:
        if isinstance(value, (str, bytes, memoryview)) or not isinstance(value, _SEQUENCES):
            return False
        # An iterator can be read once only.
        return item is None or not isinstance(value, (list, tuple)) or all(map(item.accepts, value))

    return _Rule(accepts, ("a list" if item is None else f"a list with items that are each {_joined(item.names)}",))


def _joined(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + f" or {names[-1]}"


def shown(value: object) -> str:
    """Returns a value for a message: itself, or its class."""
    if value is None or isinstance(value, (bool, int, float, complex, str, bytes)) and len(repr(value)) <= 60:
        return repr(value)
    kind = type(value)
    if isinstance(value, (list, tuple)):
        classes = dict.fromkeys(type(item).__name__ for item in value)
        return f"a {kind.__name__} of {', '.join(classes)}" if value else f"an empty {kind.__name__}"
    name = kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__.split('.')[0]}.{kind.__name__}"
    return f"an {name}" if name[0] in "aeiouAEIOU" else f"a {name}"


def _hint(name: str, rule: _Rule, value: object, of: str) -> str:
    if name == "limits":
        return "pass limits=shlo.Limits(...)"
    if "a path" in rule.names and isinstance(value, (bytes, bytearray, memoryview)):
        is_load = of in ("shlo.load", "shlo.read")
        return "shlo.loads reads a program from bytes" if is_load else "os.fsdecode makes a text of a path in bytes"
    if "bytes" in rule.names and isinstance(value, os.PathLike):
        return "shlo.load reads a file" if of in ("shlo.loads", "shlo.reads") else "pass what the file has: path.read_bytes()"
    if "bytes" in rule.names and _is_buffer(value):
        return "pass memoryview(...) of it"
    if any("a shlo.Type" in name for name in rule.names) and _has_dtype(value):
        return 'types are written as in MLIR: "tensor<2x3xf32>"'
    if "a shlo.BuilderValue" in rule.names and not isinstance(value, (str, type(None))):
        return "make one with constant, as in b.constant(1.0, \"tensor<f32>\"); a list of values is passed as *values"
    kind = type(value)
    return _INSTEAD.get(kind.__name__, "") if kind.__module__.split(".")[0] in ("jax", "jaxlib", "torch") else ""


def _is_buffer(value: Any) -> bool:
    try:
        return memoryview(value) is not None
    except TypeError:
        return False


def _has_dtype(value: Any) -> bool:
    """Whether it is a dtype, or has one: an array, a jax.ShapeDtypeStruct; or a list of such."""
    if isinstance(value, (list, tuple)):
        return any(map(_has_dtype, value))
    named = value if isinstance(value, type) else type(value)
    return hasattr(value, "dtype") or named.__module__.split(".")[0] in ("numpy", "ml_dtypes")


def _public_name(function: Callable[..., Any]) -> str:
    """Returns "shlo.jax.load", "Program.text", "shlo.Limits", "Program[...]"."""
    owner, _, name = function.__qualname__.rpartition(".")
    if not owner:
        module = ".".join(part for part in function.__module__.split(".") if not part.startswith("_"))
        return f"{module}.{name}"
    return {"__init__": f"shlo.{owner}", "__new__": f"shlo.{owner}", "__getitem__": f"{owner}[...]"}.get(name, f"{owner}.{name}")


class _Signature:
    """The rules of a function, which the first call finds."""

    def __init__(self, function: Callable[..., Any]):
        scope = function.__globals__
        self.of = _public_name(function)
        self.positional: list[tuple[str, _Rule | None]] = []
        self.named: dict[str, _Rule | None] = {}
        self.rest: tuple[str, _Rule | None] | None = None
        code, annotations = function.__code__, function.__annotations__
        for i, name in enumerate(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]):
            self.named[name] = rule = _rule(annotations[name], scope) if name in annotations else None
            if i < code.co_argcount:
                self.positional.append((name, rule))
        self.open = bool(code.co_flags & _HAS_NAMED_REST)
        if code.co_flags & _HAS_REST:
            name = code.co_varnames[code.co_argcount + code.co_kwonlyargcount]
            self.rest = name, _rule(annotations.get(name, Any), scope)

    def _instead_of(self, name: str) -> str:
        import difflib

        from ._limits import Limits

        near = difflib.get_close_matches(name, self.named, 1)
        if near:
            return f"did you mean '{near[0]}'?"
        if "limits" in self.named and name in Limits._fields:
            return f"pass limits=shlo.Limits({name}=...)"
        if self.of == "Program.eval":
            return f'pass arguments by name as {{"{name}": ...}}, or call the function: program.main({name}=...)'
        return f"it has {', '.join(name for name in self.named if name not in ('self', 'cls'))}"

    def pairs(self, args: tuple[Any, ...], options: dict[str, Any]) -> Iterator[tuple[str, _Rule | None, Any]]:
        for (name, rule), value in zip(self.positional, args):
            yield name, rule, value
        if self.rest is not None:
            for value in args[len(self.positional) :]:
                yield *self.rest, value
        for name, value in options.items():
            yield name, self.named.get(name), value

    def check(self, args: tuple[Any, ...], options: dict[str, Any]) -> None:
        if options and not self.open and not options.keys() <= self.named.keys():
            name = next(name for name in options if name not in self.named)
            raise usage_error(f"{self.of} has no parameter '{name}'", self._instead_of(name), type=True)
        for name, rule, value in self.pairs(args, options):
            if rule is not None and not rule.accepts(value):
                raise argument_error(
                    name, f"expected {_joined(rule.names)}, got {shown(value)}", _hint(name, rule, value, self.of), of=self.of, type=True
                )


def _function(function: Any) -> Any:
    signature: _Signature | None = None

    @functools.wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        __tracebackhide__ = True  # of pytest
        nonlocal signature
        if signature is None:
            signature = _Signature(function)
        signature.check(args, options)
        return function(*args, **options)

    return call


_SPECIAL = ("__init__", "__call__", "__getitem__")


def checked(thing: _Thing) -> _Thing:
    """Makes a function, or each public method of a class, check its arguments by their annotations. One that is wrong is a
    `UsageTypeError`, which names it."""
    if isinstance(thing, type):
        _wrap_methods(thing)
        return thing
    made: _Thing = _function(thing)
    return made


def _hide_literal(getter: Any) -> None:
    """Makes the annotation of a property that is one of several texts that of a text: jedi, which completes names in
    IPython, offers nothing at all for an object with one of the former."""
    name, bar, rest = getter.__annotations__.get("return", "").partition(" | ")
    if typing.get_origin(getter.__globals__.get(name)) is typing.Literal:
        getter.__annotations__["return"] = "str" + bar + rest


def _wrap_methods(kind: type) -> None:
    for name, member in list(vars(kind).items()):
        if isinstance(member, property):
            _hide_literal(member.fget)
        if name.startswith("_") and name not in _SPECIAL and not (name == "__new__" and issubclass(kind, (tuple, int))):
            continue
        if isinstance(member, (classmethod, staticmethod)):
            setattr(kind, name, type(member)(_function(member.__func__)))
        elif isinstance(member, types.FunctionType):
            setattr(kind, name, _function(member))
