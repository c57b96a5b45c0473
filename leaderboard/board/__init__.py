"""The board: rows with intervals and ties, views of it, its exports and its history."""
