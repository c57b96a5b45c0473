"""All measurements, one after the other: ``make bench``."""

import sys

from tests.bench import bench_judge, bench_vad, confusion

if __name__ == "__main__":
    confusion.main()
    sys.exit(max(bench_judge.main([]), bench_vad.main()))
