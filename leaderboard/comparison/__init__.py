"""Two to six systems beside each other, item by item."""
