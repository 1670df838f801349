"""The op table: what each op is, and since when."""

from __future__ import annotations

from typing import Any, Iterator, Mapping

from . import _core
from ._checked import checked
from ._errors import NotFoundError, UsageError, named_error
from ._html import table
from ._printed import counted, loads
from ._versions import Version


class OpInfo:
    """A row of the op table."""

    row: dict[str, Any]
    """The row as in the document of ``shlo-compat ops --json`` (docs/json.md)."""

    def __init__(self, row: dict[str, Any]):
        self.row = row

    @property
    def name(self) -> str:
        """``"stablehlo.gather"``."""
        return str(self.row["name"])

    @property
    def since(self) -> Version:
        """The first version that has the op."""
        return Version(self.row["revisions"][0]["since"]["n"])

    @property
    def until(self) -> Version | None:
        """The last version that has the op; None if the newest one does."""
        last = self.row["revisions"][-1]["until"]
        return None if last is None else Version(last["n"])

    @property
    def revisions(self) -> list[dict[str, Any]]:
        """Its forms, oldest first: `vhlo` name, `since`, `until`, `operands`, `attributes`, `results`, `regions`."""
        return list(self.row["revisions"])

    @property
    def constraints(self) -> dict[str, str]:
        """The constraints of the specification by label: ``{"C1": "..."}``."""
        return {c["label"]: c["text"] for c in self.row["constraints"]}

    @property
    def example(self) -> str | None:
        """The op in MLIR text."""
        text: str | None = self.row["example"]
        return text

    @property
    def evaluated(self) -> bool:
        """Whether `Program.eval` computes the op."""
        return bool(self.row["evaluated"])

    def _names(self, key: str) -> list[str]:
        return [part["name"] for part in self.row["revisions"][-1][key]]

    @property
    def operands(self) -> list[str]:
        """Names of the operands in the newest revision."""
        return self._names("operands")

    @property
    def attributes(self) -> list[str]:
        """Names of the inherent attributes in the newest revision."""
        return self._names("attributes")

    @property
    def results(self) -> list[str]:
        """Names of the results in the newest revision."""
        return self._names("results")

    @property
    def regions(self) -> list[str]:
        """Names of the regions in the newest revision."""
        return self._names("regions")

    def __repr__(self) -> str:
        until = f" to {self.until}" if self.until else ""
        return f"<shlo.OpInfo {self.name}, since {self.since}{until}>"

    def _repr_html_(self) -> str:
        rows: list[tuple[object, ...]] = [("name", self.name), ("since", self.since)]
        rows += [(r["vhlo"] or "revision", f"since {Version(r['since']['n'])}") for r in self.revisions]
        rows += [("operands", ", ".join(self.operands)), ("attributes", ", ".join(self.attributes))]
        rows += [("results", ", ".join(self.results)), ("example", self.example or "")]
        return table(("", ""), rows + list(self.constraints.items()))


@checked
class Ops(Mapping[str, OpInfo]):
    """All ops, by name: ``shlo.ops["gather"]``, ``shlo.ops["stablehlo.gather"]``, ``shlo.ops["vhlo.gather_v2"]``."""

    def __init__(self) -> None:
        self._rows: dict[str, OpInfo] | None = None

    def _all(self) -> dict[str, OpInfo]:
        if self._rows is None:
            self._rows = {row["name"]: OpInfo(row) for row in loads(_core.ops_json(None))["ops"]}
        return self._rows

    def __getitem__(self, name: str) -> OpInfo:
        if self._rows and name in self._rows:
            return self._rows[name]
        try:
            return OpInfo(loads(_core.ops_json(name))["ops"][0])
        except UsageError as error:
            raise named_error(NotFoundError, error) from None

    def _ipython_key_completions_(self) -> list[str]:
        return [*self, *(name.removeprefix("stablehlo.") for name in self if name.startswith("stablehlo."))]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def __repr__(self) -> str:
        return f"<shlo.Ops of {counted(len(self), 'op')}>"

    def _repr_html_(self) -> str:
        return table(("op", "since", "operands", "attributes", "results"), (
            (op.name, op.since, ", ".join(op.operands), ", ".join(op.attributes), ", ".join(op.results)) for op in self.values()
        ))  # fmt: skip


table_of_ops = Ops()


def defined_attributes(op: str) -> list[str]:
    """Returns the names of the attributes that an op defines; none for an op that is not known."""
    try:
        return table_of_ops[op].attributes
    except NotFoundError:
        return []
