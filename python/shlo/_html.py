"""HTML of tables and texts for notebooks."""

from __future__ import annotations

import html
from typing import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Returns a table with escaped cells."""

    def line(cells: Sequence[object], tag: str) -> str:
        return "<tr>" + "".join(f'<{tag} style="text-align:left">{html.escape(str(c))}</{tag}>' for c in cells) + "</tr>"

    return f"<table><thead>{line(head, 'th')}</thead><tbody>{''.join(line(row, 'td') for row in rows)}</tbody></table>"


def text(title: str, body: str) -> str:
    """Returns a title and preformatted text."""
    return f"<b>{html.escape(title)}</b><pre>{html.escape(body)}</pre>"
