"""Calls by name, and with nested dictionaries, lists and tuples of arrays: which value is which argument."""

from __future__ import annotations

import dataclasses
import difflib
import re
import sys
from typing import Any, Iterator, Mapping, Sequence

from ._checked import shown
from ._errors import NotFoundError, named_error, usage_error
from ._limits import Limits
from ._printed import printed
from ._signature import Signature, known

_Leaf = tuple[str, Any]


def by_name(signature: Signature, name: str) -> int:
    """Returns the index of an argument. Raises `NotFoundError` if there is none of that name."""
    names = known(signature)
    if name not in names:
        raise _unknown(signature, name)
    return names[name]


def is_tree(value: Any) -> bool:
    """Whether a value may have several leaves; a list may also be one of numbers."""
    if hasattr(value, "__array__"):  # most are
        return False
    return isinstance(value, (Mapping, list, tuple)) or _fields(value) is not None


def _fields(value: Any) -> list[_Leaf] | None:
    """Returns the parts of an object with their names as jax writes them (".w"): of a named tuple, of a class that is
    registered with jax, or of a dataclass. None for other values."""
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return [(f".{name}", part) for name, part in zip(value._fields, value)]
    if isinstance(value, (bool, int, float, complex, str, bytes, Mapping, list, tuple)) or hasattr(value, "__array__"):
        return None
    if (tree := sys.modules.get("jax.tree_util")) is not None:
        parts = tree.tree_flatten_with_path(value, is_leaf=lambda part: part is not value)[0]
        if not (len(parts) == 1 and parts[0][0] == ()):
            return [(tree.keystr(path), part) for path, part in parts]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [(f".{field.name}", getattr(value, field.name)) for field in dataclasses.fields(value)]
    return None


def _root(name: str, dotted: bool = False) -> str:
    """Returns "args[0]" for "args[0]['b']", and "p" for "p['b']"; with `dotted`, also for "p.b"."""
    found = re.match(rf"(args\[\d+\]|kwargs\['[^']*'\]|[^\[{'.' if dotted else ''}]*)", name)
    return found[1] if found else name


def _roots(names: Sequence[str], dotted: bool) -> list[str]:
    return list(dict.fromkeys(_root(name, dotted) for name in names))


def _is_in(name: str, path: str) -> bool:
    """Whether a name is that of a leaf of the tree at a path."""
    return name.startswith((f"{path}[", f"{path}."))


def _leaves(path: str, value: Any, known: Mapping[str, int]) -> Iterator[_Leaf]:
    """Yields the leaves of a tree with their paths, as jax writes them. A list of numbers is a leaf where an argument has
    its path."""
    if path in known:
        yield path, value
    elif (fields := _fields(value)) is not None:
        for i, (name, part) in enumerate(fields):
            # A jax.export file has numbers in place of names.
            named, numbered = path + name, f"{path}[{i}]"
            is_there = any(key == named or _is_in(key, named) for key in known)
            is_numbered = not is_there and any(key == numbered or _is_in(key, numbered) for key in known)
            yield from _leaves(numbered if is_numbered else named, part, known)
    elif isinstance(value, Mapping):
        for key in value:
            yield from _leaves(f"{path}[{key!r}]" if not isinstance(key, str) else f"{path}['{key}']", value[key], known)
    elif isinstance(value, (list, tuple)):
        for i, item in enumerate(value):
            yield from _leaves(f"{path}[{i}]", item, known)
    elif value is not None:
        yield path, value


def _flat(value: Any) -> Iterator[Any]:
    """Yields the leaves of a tree in the order of jax."""
    if (fields := _fields(value)) is not None:
        for _, part in fields:
            yield from _flat(part)
    elif isinstance(value, Mapping):
        for key in sorted(value):
            yield from _flat(value[key])
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _flat(item)
    elif value is not None:
        yield value


def _listed(signature: Signature) -> str:
    return ", ".join(str(value) for value in signature.arguments if value.index is not None) or "no arguments"


def _unknown(signature: Signature, name: str, options: Sequence[str] = (), value: Any = None) -> Exception:
    subject = printed(signature.name, "name")
    if parts := [key for key in known(signature) if _is_in(key, name)]:
        what = f"expected a tree with {', '.join(map(printed, parts[:20]))}, got {shown(value)}"
        return usage_error(f"argument {printed(name)} of {subject}: {what}", "pass a dictionary, list or tuple, or an object that is registered with jax", type=True)
    roots = _roots([argument.name for argument in signature.arguments], False)
    root = _root(name)
    if root.startswith("args[") and root not in roots:
        what = f"{subject} has no positional argument {printed(root)}"
        hint = f"it takes {', '.join(map(printed, roots)) or 'no arguments'}"
        return named_error(NotFoundError, usage_error(what, hint))
    parts = [f"{v.name} ({v.label})" for v in signature.arguments if _root(v.name) == root and v.label not in ("", v.name)]
    if parts and root != name:
        hint = f"{printed(root)} has {', '.join(map(printed, parts[:20]))}"
        return named_error(NotFoundError, usage_error(f"{subject} has no argument {printed(name)}", hint))
    names = [*known(signature), *options]
    close = difflib.get_close_matches(name, names, 1)
    hint = f"did you mean {printed(close[0])}?" if close else f"it takes {_listed(signature)}"
    if name in Limits._fields:
        hint = f"pass limits=shlo.Limits({name}=...)"
    return named_error(NotFoundError, usage_error(f"{subject} has no argument {printed(name)}", hint))


def bind(
    signature: Signature, args: Sequence[Any], named: Mapping[str, Any], options: Sequence[str] = ()
) -> list[Any]:
    """Returns the values of the program's arguments, in their order. `options` are known keywords, for suggestions."""
    names = known(signature)
    if len(args) == 1 and not named and isinstance(args[0], Mapping) and any(key in names for key in args[0]):
        pairs = list(args[0].items())
    elif len(args) == len(signature.arguments) and not named and not any(map(is_tree, args)):
        pairs = [(value.name, arg) for value, arg in zip(signature.arguments, args)]
    else:
        pairs = _paired(signature, args, named, names, options)
    found: dict[int, Any] = {}
    for path, value in pairs:
        if not isinstance(path, str) or path not in names:
            raise _unknown(signature, str(path), options, value)
        if names[path] in found:
            raise usage_error(f"argument {printed(path)} is passed twice")
        found[names[path]] = value
    taken = [(i, value) for i, value in enumerate(signature.arguments) if value.index is not None]
    missing = [str(value) for i, value in taken if i not in found]
    if missing:
        count = f"{len(missing)} argument{'' if len(missing) == 1 else 's'}"
        raise usage_error(f"{printed(signature.name, 'name')} misses {count}: {', '.join(missing[:20])}")
    return [found[i] for i, _ in sorted(taken, key=lambda pair: pair[1].index or 0)]


def _paired(
    signature: Signature, args: Sequence[Any], named: Mapping[str, Any], names: Mapping[str, int], options: Sequence[str]
) -> list[_Leaf]:
    arguments = signature.arguments
    exported = any(value.name.startswith(("args[", "kwargs[")) for value in arguments)
    labeled = all(value.label for value in arguments)
    pairs: list[_Leaf] = []
    if exported:
        roots = [f"args[{i}]" for i in range(len(args))]
    elif labeled:
        # Dots are parts of names elsewhere.
        roots = _roots([value.name for value in arguments], any(_fields(value) is not None for value in (*args, *named.values())))
    else:
        is_plain = len(args) == len(arguments) and not any(isinstance(arg, Mapping) for arg in args)
        leaves = list(args) if is_plain else [value for arg in args for value in _flat(arg)]
        if len(leaves) > len(arguments) or named:
            raise wrong_count(signature, len(leaves))
        return [(arguments[i].name, value) for i, value in enumerate(leaves)]
    if len(args) > len(roots):
        message = f"{printed(signature.name, 'name')}: expected {len(roots)} arguments or fewer, got {len(args)}"
        raise usage_error(message, f"they are {', '.join(map(printed, roots)) or 'none'}")
    for root, value in zip(roots, args):
        pairs += _leaves(root, value, names)
    for key, value in named.items():
        keyword = f"kwargs['{key}']"
        is_keyword = any(_root(name) == keyword for name in names)
        if not is_keyword and key not in names and not any(_is_in(name, key) for name in names):
            raise _unknown(signature, key, options, value)
        pairs += _leaves(keyword if is_keyword else key, value, names)
    return pairs


def wrong_count(signature: Signature, got: int) -> Exception:
    """Makes the error for a wrong number of arguments."""
    expected = sum(value.index is not None for value in signature.arguments)
    message = f"expected {expected} argument{'' if expected == 1 else 's'}, got {got}"
    return usage_error(f"{printed(signature.name, 'name')}: {message}", f"it takes {_listed(signature)}")


__all__ = ["bind", "by_name", "is_tree", "wrong_count"]
