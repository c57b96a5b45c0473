r"""Characters that no database, page or file takes, written so that a reader sees them.

Conventions: U+0000 and halves of surrogate pairs come with replies, transcripts and annotations
that somebody else wrote. They are kept as the escape that JSON has for them (``\u0000``), never
dropped: whoever reads the text sees what came.
"""

import re

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def visible(text: str) -> str:
    r"""Return a text with U+0000 and lone surrogates as escapes, which anything can store.

    Examples:
        >>> visible("a\x00b")
        'a\\u0000b'
    """
    return _UNSTORABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
