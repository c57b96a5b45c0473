"""The packaged demo split: small recordings of our own, with the truth that they were made from."""
