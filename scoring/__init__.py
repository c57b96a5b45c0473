"""Scoring of full-duplex spoken dialogue: the benchmark as a plain library.

Nothing here knows of a web framework, a database or a queue. Times are seconds, a segment is a
``(start, end)`` pair, and what was not measured is ``None``, never 0.
"""

__version__ = "0.1.0"
