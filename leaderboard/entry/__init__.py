"""One submission and one system: progress, check, numbers, costs and downloads."""
