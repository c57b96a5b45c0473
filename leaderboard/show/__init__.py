"""Ground floor of the pages: how numbers look."""
