"""How an endpoint is told in which shape a chat model has to answer.

Conventions: names as in ``scoring.judge.chat_settings.FORMATS``; ``text`` asks for no shape, as the
official call does.
"""

from collections.abc import Mapping
from typing import Any

from scoring.judge.labels import LABELS

_SCHEMA = {
    "type": "object",
    "properties": {
        "behaviour": {"type": "array", "items": {"type": "string", "enum": list(LABELS)}}
    },
    "required": ["behaviour"],
    "additionalProperties": False,
}
RESPONSE_FORMATS: Mapping[str, dict[str, Any]] = {
    "json_schema": {
        "type": "json_schema",
        "json_schema": {"name": "behaviour", "strict": True, "schema": _SCHEMA},
    },
    "json_object": {"type": "json_object"},
}
