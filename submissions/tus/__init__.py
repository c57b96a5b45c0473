"""Resumable uploads after tus 1.0, without Django: the headers, and the file that grows."""
