"""A waveform as the outline of a drawing, made from lowest and highest samples.

Pure. Conventions: one unit to the right per stretch of ``PER_SECOND``, ``HEIGHT`` units from top
to bottom; the outline fills the height at its loudest sample, so quiet recordings can be read too.
"""

import numpy as np
from numpy.typing import NDArray

from scoring.audio import SILENCE_PEAK

PER_SECOND = 100
HEIGHT = 128
# Other pages name this part of the drawing in their links.
PART = "wave"


def drawing(peaks: NDArray[np.float32]) -> str:
    """Return the waveform as an SVG file.

    Args:
        peaks: shape (stretches, 2), lowest and highest sample between -1 and 1.
    """
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {max(len(peaks), 1)} {HEIGHT}"'
        f' preserveAspectRatio="none"><path id="{PART}" d="{outline(peaks)}"/></svg>'
    )


def outline(peaks: NDArray[np.float32]) -> str:
    """Return the path: along the highest samples to the right, along the lowest back."""
    if not len(peaks):
        return ""
    loudest = float(np.abs(peaks).max())
    scaled = peaks / loudest if loudest > SILENCE_PEAK else peaks
    # One unit beyond both edges, so that silence is a thin line.
    top, bottom = _heights(scaled[:, 1]) - 1, _heights(scaled[:, 0]) + 1
    return f"M0 {top[0]}{_steps('1', top)}V{bottom[-1]}{_steps('-1', bottom[::-1])}Z"


def _heights(samples: NDArray[np.float32]) -> NDArray[np.int64]:
    half = HEIGHT // 2 - 1
    return np.rint(HEIGHT // 2 - samples * half).astype(np.int64)


def _steps(x: str, heights: NDArray[np.int64]) -> str:
    return "".join(f"l{x} {y}" for y in np.diff(heights))
