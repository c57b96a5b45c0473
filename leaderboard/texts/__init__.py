"""Text pages: Markdown, the methodology's facts, and feeds."""
