"""All measurements, one after the other: ``make bench``."""

from tests.bench import bench_vad

if __name__ == "__main__":
    bench_vad.main()
