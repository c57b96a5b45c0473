"""What others wrote is exactly what the README beside it says it is."""

import hashlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
VENDORS = [ROOT / "static" / "vendor", ROOT / "tests" / "browser" / "vendor"]
ROW = re.compile(r"^\| `([^`]+)` \|.*\| `([0-9a-f]{64})` \|$", re.MULTILINE)
ROWS = {
    vendor: dict(ROW.findall((vendor / "README.md").read_text(encoding="utf-8")))
    for vendor in VENDORS
}
FILES = [(vendor / name, sha256) for vendor in VENDORS for name, sha256 in ROWS[vendor].items()]


@pytest.mark.parametrize("vendor", VENDORS, ids=lambda path: path.parent.name)
def test_every_vendored_file_has_its_row_and_its_licence(vendor):
    scripts = [path for path in vendor.rglob("*") if path.suffix in (".js", ".css", ".woff2")]
    assert sorted(ROWS[vendor]) == sorted(str(path.relative_to(vendor)) for path in scripts)
    assert [path for path in scripts if not (path.parent / "LICENSE").exists()] == []


@pytest.mark.parametrize(("path", "sha256"), FILES, ids=lambda value: getattr(value, "name", ""))
def test_a_vendored_file_is_the_one_of_its_hash(path, sha256):
    assert hashlib.sha256(path.read_bytes()).hexdigest() == sha256
