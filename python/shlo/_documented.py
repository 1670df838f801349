"""Docstrings of the fields of named tuples, which ``help`` shows."""

from __future__ import annotations

import functools
import operator
from typing import Any, TypeVar

_Kind = TypeVar("_Kind", bound="type[Any]")


@functools.lru_cache(maxsize=None)
def _texts(kind: Any) -> dict[str, str]:
    """Returns the strings below the fields of a class, from its source."""
    import ast
    import inspect
    import textwrap

    try:
        body = ast.parse(textwrap.dedent(inspect.getsource(kind))).body[0].body  # type: ignore[attr-defined]
    except (OSError, TypeError, SyntaxError):
        return {}
    return {
        field.target.id: inspect.cleandoc(text.value.value)
        for field, text in zip(body, body[1:])
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant) and isinstance(text.value.value, str)
    }


class _Field:
    """A field of a named tuple. Its docstring is read when someone asks for it."""

    def __init__(self, kind: Any, name: str, index: int):
        self._kind = kind
        self._name = name
        self._value = operator.itemgetter(index)

    def __get__(self, instance: Any, owner: object = None) -> Any:
        return self if instance is None else self._value(instance)

    def __set__(self, instance: Any, value: Any) -> None:
        raise AttributeError("can't set attribute")

    @property
    def __doc__(self) -> str | None:  # type: ignore[override]
        return _texts(self._kind).get(self._name)


def documented(kind: _Kind) -> _Kind:
    """Gives the fields of a named tuple the strings below them as docstrings."""
    for i, name in enumerate(kind._fields):
        setattr(kind, name, _Field(kind, name, i))
    return kind
