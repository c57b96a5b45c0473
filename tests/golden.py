"""Read the golden vectors: inputs with the answers of the official scripts."""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "data" / "golden"


def golden(name: str) -> Any:
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def case_id(case: dict[str, Any]) -> str:
    return str(case.get("id") or case.get("note") or case.get("team"))
