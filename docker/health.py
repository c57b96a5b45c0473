"""Ask the site for /healthz the way a proxy would, and fail unless it answers 200."""

import os
import sys
from http.client import HTTPConnection

HOST = os.environ.get("ALLOWED_HOSTS", "localhost").split(",")[0].strip().lstrip("*.")


def main() -> int:
    """Return 0 when the site is well."""
    connection = HTTPConnection("127.0.0.1", 8000, timeout=4)
    headers = {"Host": HOST or "localhost", "X-Forwarded-Proto": "https"}
    connection.request("GET", "/healthz", headers=headers)
    return 0 if connection.getresponse().status == 200 else 1


if __name__ == "__main__":
    sys.exit(main())
