"""Is an archive acceptable? Its names, what is missing, and every recording in it.

Conventions: what is wrong is a finding, with a code, the file, the rule and how to mend it; nothing
here raises because of what a team handed in.
"""

from scoring.check.expected import check
from scoring.check.report import SCHEMA, CheckReport, Count, refuse

__all__ = ["SCHEMA", "CheckReport", "Count", "check", "refuse"]
