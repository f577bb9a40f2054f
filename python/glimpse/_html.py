"""Tables in HTML, which notebooks show for models, beliefs, decisions and policies."""

from __future__ import annotations

import html
from typing import Any, Iterable, Sequence


def table(title: str, rows: Iterable[Sequence[Any]], head: Sequence[str] = ()) -> str:
    """A table; everything in it is text."""

    def line(cells: Sequence[Any], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag} style='text-align:left'>{html.escape(str(cell))}</{tag}>" for cell in cells) + "</tr>"

    top = f"<thead>{line(head, 'th')}</thead>" if head else ""
    body = "".join(line(row, "td") for row in rows)
    return f"<table><caption><b>{html.escape(title)}</b></caption>{top}<tbody>{body}</tbody></table>"


def some(values: Sequence[Any], most: int = 8) -> str:
    """The first values, and how many there are."""
    shown = ", ".join(str(value) for value in values[:most])
    return f"{len(values)}: {shown}{', …' if len(values) > most else ''}"
