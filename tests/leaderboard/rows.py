"""Rows of a frozen board as tests make them."""


def row(**changes):
    """One row, complete but for what is changed."""
    values = {
        "rank": 1,
        "team": "Parrot",
        "system": "Parrot",
        "kind": "participant",
        "origin": "scored",
        "link": "b5a1",
        "interruption": "80.0",
        "rejection": "60.0",
        "delay": "1.000",
        "delay_score": "86.5",
        "delay_score_raw": "86.5",
        "total": "73.3",
        "total_raw": "73.3",
        "languages": {"cn": {"interruption": "81.0", "rejection": "61.0"}, "en": {}},
        "beyond_reference": False,
        "published": {},
        "architecture": "",
        "unofficial": [],
        "signature": "",
        "notes": [],
        "system_slug": "parrot",
        "weights": "",
    }
    return {**values, **changes}
