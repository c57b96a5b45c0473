"""Single items: lanes, sounds, words, lists and filters."""
