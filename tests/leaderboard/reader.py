"""How tests read pages: addresses in, plain text out."""

import re

from django.urls import reverse
from django.utils.translation import override


def text_of(response):
    """What a reader gets: no tags, single blanks."""
    plain = re.sub(r"<[^>]+>", " ", response.content.decode())
    return re.sub(r"\s+", " ", plain)


def url(name, *args, **query):
    with override("en"):
        address = reverse(name, args=args)
    return f"{address}?{'&'.join(f'{k}={v}' for k, v in query.items())}" if query else address


def login(client, user):
    client.force_login(user)
    return client
