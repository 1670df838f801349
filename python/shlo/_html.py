"""HTML of tables and texts for notebooks."""

from __future__ import annotations

from typing import Iterable, Sequence

from ._printed import printed


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Returns a table with escaped cells."""

    def line(cells: Sequence[object], tag: str) -> str:
        shown = (printed(c, "xml") for c in cells)
        return "<tr>" + "".join(f'<{tag} style="text-align:left">{c}</{tag}>' for c in shown) + "</tr>"

    return f"<table><thead>{line(head, 'th')}</thead><tbody>{''.join(line(row, 'td') for row in rows)}</tbody></table>"


def text(title: str, body: str) -> str:
    """Returns a title and preformatted text."""
    return f"<b>{printed(title, 'xml')}</b><pre>{printed(body, 'xml-lines')}</pre>"
