"""All measurements, one after the other: ``make bench``."""

import sys

from tests.bench import bench_vad, confusion

if __name__ == "__main__":
    confusion.main()
    sys.exit(bench_vad.main())
