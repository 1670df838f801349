"""Calls by name, and with nested dictionaries, lists and tuples of arrays: which value is which argument."""

from __future__ import annotations

import difflib
import re
from typing import Any, Iterator, Mapping, Sequence

from ._errors import NotFoundError, usage_error
from ._printed import printed
from ._signature import Signature

_Leaf = tuple[str, Any]


def _names(signature: Signature) -> dict[str, int]:
    """Returns the arguments by name, and by label where only one has it."""
    labels = [value.label for value in signature.arguments if value.label]
    names = {value.label: i for i, value in enumerate(signature.arguments) if labels.count(value.label) == 1}
    names.update({value.name: i for i, value in enumerate(signature.arguments)})
    return names


def by_name(signature: Signature, name: str) -> int:
    """Returns the index of an argument. Raises `NotFoundError` if there is none of that name."""
    names = _names(signature)
    if name not in names:
        raise _unknown(signature, name)
    return names[name]


def is_tree(value: Any) -> bool:
    """Whether a value may have several leaves; a list may also be one of numbers."""
    return isinstance(value, (Mapping, list, tuple))


def _root(name: str) -> str:
    """Returns "args[0]" for "args[0]['b']", and "p" for "p['b']"."""
    found = re.match(r"(args\[\d+\]|kwargs\['[^']*'\]|[^\[]*)", name)
    return found[1] if found else name


def _roots(names: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(_root(name) for name in names))


def _leaves(path: str, value: Any, known: Mapping[str, int]) -> Iterator[_Leaf]:
    """Yields the leaves of a tree with their paths, as jax writes them. A list of numbers is a leaf where an argument has
    its path."""
    if path in known:
        yield path, value
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
    if isinstance(value, Mapping):
        for key in sorted(value):
            yield from _flat(value[key])
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _flat(item)
    elif value is not None:
        yield value


def _listed(signature: Signature) -> str:
    return ", ".join(str(value) for value in signature.arguments if value.index is not None) or "no arguments"


def _unknown(signature: Signature, name: str, options: Sequence[str] = ()) -> Exception:
    names = [*_names(signature), *options]
    close = difflib.get_close_matches(name, names, 1)
    hint = f"did you mean {printed(close[0])}?" if close else f"it takes {_listed(signature)}"
    error = usage_error(f"{printed(signature.name, 'name')} has no argument {printed(name)}", hint)
    return NotFoundError(error.text, error.diagnostics, error.code, error.exit_code)


def bind(
    signature: Signature, args: Sequence[Any], named: Mapping[str, Any], options: Sequence[str] = ()
) -> list[Any]:
    """Returns the values of the program's arguments, in their order. `options` are known keywords, for suggestions."""
    names = _names(signature)
    if len(args) == 1 and not named and isinstance(args[0], Mapping) and any(key in names for key in args[0]):
        pairs = list(args[0].items())
    elif len(args) == len(signature.arguments) and not named and not any(map(is_tree, args)):
        pairs = [(value.name, arg) for value, arg in zip(signature.arguments, args)]
    else:
        pairs = _paired(signature, args, named, names, options)
    found: dict[int, Any] = {}
    for path, value in pairs:
        if not isinstance(path, str) or path not in names:
            raise _unknown(signature, str(path), options)
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
        roots = _roots([value.name for value in arguments])
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
        if not is_keyword and key not in names and not any(_root(name) == key for name in names):
            raise _unknown(signature, key, options)
        pairs += _leaves(keyword if is_keyword else key, value, names)
    return pairs


def wrong_count(signature: Signature, got: int) -> Exception:
    """Makes the error for a wrong number of arguments."""
    expected = sum(value.index is not None for value in signature.arguments)
    message = f"expected {expected} argument{'' if expected == 1 else 's'}, got {got}"
    return usage_error(f"{printed(signature.name, 'name')}: {message}", f"it takes {_listed(signature)}")


__all__ = ["bind", "by_name", "is_tree", "wrong_count"]
