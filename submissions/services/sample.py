"""An archive of which a trial looks at a part only."""

from collections.abc import Collection
from types import TracebackType
from typing import Self

from scoring.archive import Outputs
from scoring.errors import Finding


class Sample:
    """An open archive without the files that are left alone; reads as the archive does."""

    def __init__(self, outputs: Outputs, hidden: Collection[str]) -> None:
        self._outputs = outputs
        self.names = tuple(name for name in outputs.names if name not in hidden)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is wrong with members, of the whole archive."""
        return self._outputs.findings

    def read(self, name: str) -> bytes:
        """Return the content of one member."""
        return self._outputs.read(name)

    def size(self, name: str) -> int:
        """Size of one member in bytes, as declared."""
        return self._outputs.size(name)

    def close(self) -> None:
        """Let go of the archive."""
        self._outputs.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
