"""Log-in through others: what the library leaves to the site."""

from functools import partial
from typing import Any

from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.providers.base import ProviderException

# What the library raises on a profile that is not of the promised shape.
NONSENSE = (AttributeError, LookupError, TypeError, ValueError)


class OtherSites(DefaultSocialAccountAdapter):  # type: ignore[misc] # the library has no types
    """A provider that says nothing of sense gets the page that says so, as one that is down."""

    def get_provider(self, request: Any, provider: str, client_id: str | None = None) -> Any:
        """A provider whose reading of a profile fails in one way only."""
        found = super().get_provider(request, provider, client_id=client_id)
        found.sociallogin_from_response = partial(_understood, found.sociallogin_from_response)
        return found


def _understood(read: Any, request: Any, response: Any) -> Any:
    try:
        return read(request, response)
    except NONSENSE as cause:
        raise ProviderException("The profile is not of the promised shape.") from cause
