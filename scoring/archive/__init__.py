"""Archives of recordings, read safely and without unpacking, whatever somebody has zipped."""

from scoring.archive.outputs import Outputs, open_outputs

__all__ = ["Outputs", "open_outputs"]
